import { expect, test } from 'vitest'
import { describeProgram } from './describe-program.ts'
import { helpText } from './help-text.ts'

test('the help names every command, one line each', () => {
  const lines = helpText().split('\n')
  for (const command of describeProgram().commands) {
    const line = lines.find((each) => each.startsWith(`  ${command.name()} [options]`))
    expect(line?.endsWith(command.description()), command.name()).toBe(true)
  }
})

test('the parser prints the same help', () => {
  expect(describeProgram().helpInformation()).toBe(helpText(process.stdout.columns))
})

test('wraps descriptions where the terminal is narrow, and loses no word', () => {
  const narrow = helpText(90)
  expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90)
  expect(narrow.split(/\s+/)).toEqual(helpText().split(/\s+/))
})
