import { expect, test } from 'vitest'
import { commitOf } from '../../src/server/commit.ts'
import { sglangLaunch } from '../../src/server/sglang-launch.ts'

test('a launch is told by the settings that differ from every launch, as flags', () => {
  const words = sglangLaunch({
    model_path: 'Qwen/Qwen3.5-35B-A3B',
    served_model_name: 'qwen',
    tp_size: 2,
    dp_size: 1,
    dtype: 'auto',
    mem_fraction_static: 0.857,
    trust_remote_code: true,
    disable_radix_cache: false,
    context_length: null,
    speculative_algorithm: 'DFLASH',
    api_key: '***',
    max_total_num_tokens: 720_000,
    status: 'ready',
  })
  expect(words?.join(' ')).toBe(
    'python -m sglang.launch_server --model-path Qwen/Qwen3.5-35B-A3B --served-model-name qwen --trust-remote-code ' +
      '--tp 2 --mem-fraction-static 0.857 --speculative-algorithm DFLASH --api-key ***',
  )
})

test('settings without a model, and values that no flag takes, tell nothing', () => {
  expect(sglangLaunch({ tp_size: 2 })).toBe(null)
  expect(sglangLaunch({ model_path: 'm', tp_size: [2], revision: {} })?.at(-1)).toBe('m')
})

test.each([
  ['0.5.6.post3.dev9269+g834400705', '834400705'],
  ['0.11.1rc2.dev12+gabc1234f.d20260101', 'abc1234f'],
  ['1.0+cu128.g1234567', '1234567'],
  ['0.5.16', null],
  [null, null],
])('the version %j names the commit %j', (version, commit) => {
  expect(commitOf(version)).toBe(commit)
})
