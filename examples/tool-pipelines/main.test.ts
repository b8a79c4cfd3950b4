import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('the examples of pipelines come out as they say', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
  })
  expect(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual([
    'web_search_then_json_parser_then_file_write',
    'extract_and_calculate',
    'resilient_pipeline',
    'extract_and_save',
    'priced_report',
  ])
})
