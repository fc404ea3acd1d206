/** What the figures of a server mean, as help tells it. */
export const serverWords: readonly (readonly [name: string, meaning: string])[] = [
  ['running', 'requests that the server decodes'],
  ['queued', 'requests that wait for their turn'],
  ['generated tok/s', 'output tokens by the increase of the live counter'],
  ['prompt tok/s', 'prompt tokens that were computed, cached ones left out'],
  ['KV cache', 'share of the cache that running requests hold'],
  ['slots', 'share of the state slots of a hybrid model in use'],
  ['accepted', 'tokens of a step of a speculative server'],
  ['retracted', 'running requests that were sent back to the queue for want of room'],
  ['cached prompt', 'share of the prompt tokens that were in the cache'],
]
