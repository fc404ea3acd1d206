// Preloaded by `node --import`: when SIGUSR2 comes, something goes wrong of which the program knows nothing. FAULT says
// what: `promise`: a promise is rejected and nobody listens; `component`: the next drawing of the screen throws.
const { repeat } = String.prototype

// Not `once`: a listener that has gone lets signal-exit, which Ink brings, end the process as nobody listens.
process.on('SIGUSR2', () => {
  if (process.env.FAULT === 'promise') void Promise.reject(new Error('a fault on purpose'))
  else
    String.prototype.repeat = function (count) {
      if (new Error().stack?.includes('at Screen ')) throw new Error('a fault on purpose')
      return repeat.call(this, count)
    }
})
