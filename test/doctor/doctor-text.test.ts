import { expect, test } from 'vitest'
import { doctorText } from '../../src/doctor/doctor-text.ts'
import { type Finding, fail, ok, warn } from '../../src/doctor/finding.ts'
import { readStreamEvent } from '../../src/doctor/stream-event.ts'
import { scriptedServer } from '../support/scripted-run.ts'

const linesOf = (findings: readonly Finding[], ...data: readonly string[]) =>
  doctorText({
    server: scriptedServer,
    findings,
    events: data.map((one, index) => readStreamEvent(index * 10, one)),
  }).split('\n')

test('each check is a line, with what to do under it', () => {
  expect(linesOf([ok('metrics', 'there'), warn('cache-report', 'not told', 'start it with --x')])).toEqual([
    'http://127.0.0.1:30000: Qwen/Qwen3.5-35B-A3B on sglang 0.5.9',
    '',
    'ok   metrics       there',
    'warn cache-report  not told',
    '                   → start it with --x',
    '',
    'A run would be trustworthy, with 1 warning.',
    '',
  ])
  expect(linesOf([fail('open-files', 'few', 'ulimit')])).toContain(
    'A run would not be trustworthy: 1 check failed.',
  )
})

test('each event is told with its time and what it carries', () => {
  const lines = linesOf(
    [ok('generation', 'fine')],
    '{"choices":[{"delta":{"role":"assistant","content":""}}]}',
    '{"choices":[{"delta":{"content":"Hello"}}],"usage":{"completion_tokens":2,"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":8}}}',
    '{"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"length"}]}',
    '{"error":{"message":"no room"}}',
    '{}',
    '<html>',
    '[DONE]',
  )
  expect(lines.slice(6, 13).map(line => line.trim().replace(/ +/g, ' '))).toEqual([
    '1 0.0 ms role assistant',
    '2 10 ms text "Hello", usage 2 output / 9 prompt / 8 cached',
    '3 20 ms text "hm", finish length',
    '4 30 ms error no room',
    '5 40 ms nothing',
    '6 50 ms something that is not JSON',
    '7 60 ms the end',
  ])
})

test('of a long stream beginning and end are shown', () => {
  const chunk = '{"choices":[{"delta":{"content":"a"}}]}'
  const lines = linesOf([ok('generation', 'fine')], ...Array.from({ length: 100 }, () => chunk))
  expect(lines.length).toBeLessThan(30)
  expect(lines.some(line => line.includes('87 more'))).toBe(true)
})

test('nothing that a server writes can move the cursor', () => {
  const evil = '\u001b[2J\nx\u202e'
  const chunk = JSON.stringify({ choices: [{ delta: { role: evil, content: evil }, finish_reason: evil }] })
  const text = linesOf([fail('generation', evil, evil)], chunk).join('\n')
  for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character)
  expect(text.split('\n')).toHaveLength(11)
})
