/** Verifies the outputs of the bench, and prints what they are: run it after every change of a generator. */
import type { BenchOutput, Question } from './bench-output.ts'
import { outputsOf } from './outputs.ts'

const smallest = 30_000
const largest = 2_500_000
const head = 200
const rare = 4

for (const seed of [1, 2, 3]) {
  const outputs = outputsOf(seed)
  const second = outputsOf(seed)
  console.log(`seed ${seed}: ${outputs.length} outputs`)
  for (const [at, output] of outputs.entries()) {
    const text = textOf(output)
    const again = second[at]
    const faults = [...faultsOf(output, text), ...(again !== undefined && textOf(again) === text ? [] : ['differs from run to run'])]
    const kinds = Object.entries(Object.groupBy(output.questions, (question) => question.kind)).map(
      ([kind, list]) => `${kind} ${list.length}`,
    )
    console.log(`  ${output.name.padEnd(20)} ${String(Buffer.byteLength(text)).padStart(8)} bytes  ${kinds.join(', ')}`)
    for (const fault of faults) console.log(`    FAULT ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
  const all = Object.groupBy(
    outputs.flatMap((output) => output.questions),
    (question) => question.kind,
  )
  console.log(
    `  all: ${Object.entries(all)
      .map(([kind, list]) => `${kind} ${list.length}`)
      .join(', ')}`,
  )
}

function textOf(output: BenchOutput): string {
  return output.text ?? JSON.stringify(output.value)
}

function faultsOf(output: BenchOutput, text: string): string[] {
  const bytes = Buffer.byteLength(text)
  const faults: string[] = []
  if (bytes < smallest || bytes > largest) faults.push(`has ${bytes} bytes`)
  if (output.questions.length !== 10) faults.push(`has ${output.questions.length} questions`)
  if ((output.text === undefined) === (output.value === undefined)) faults.push('has not exactly one of a text and a value')
  const lower = text.toLowerCase()
  for (const question of output.questions) {
    for (const fault of questionFaults(question, lower, output)) faults.push(`${fault}: ${question.ask} ${JSON.stringify(question.answer)}`)
  }
  return faults
}

function questionFaults(question: Question, text: string, output: BenchOutput): string[] {
  const faults: string[] = []
  const stands = (within: string) =>
    question.answer.every((spellings) => spellings.some((spelling) => within.includes(spelling.toLowerCase())))
  if (question.answer.flat().some((spelling) => spelling.trim().length < 4)) faults.push('short spelling')
  if (question.answer.length === 0 || question.answer.some((spellings) => spellings.length === 0)) faults.push('no answer')
  if (stands(text.slice(0, head)) || stands(output.task.toLowerCase()) || stands(question.ask.toLowerCase())) faults.push('trivial')
  if (question.reads.length < 1 || question.reads.length > 3) faults.push('one to three reads are needed')
  if (question.reads.some((read) => 'path' in read) && output.value === undefined) faults.push('path into a text')
  if (question.kind === 'needle' && !stands(text)) faults.push('is not in the output')
  // The name of an extreme stands in the output; its measure may be one that must be counted.
  if (
    question.kind === 'extreme' &&
    !question.answer.some((spellings) => spellings.some((spelling) => text.includes(spelling.toLowerCase())))
  ) {
    faults.push('has nothing in the output')
  }
  if (question.kind === 'needle' || question.kind === 'change') {
    const times = question.answer.map((spellings) =>
      spellings.reduce((sum, spelling) => sum + text.split(spelling.toLowerCase()).length - 1, 0),
    )
    if (Math.min(...times) > rare) faults.push(`stands ${Math.min(...times)} times`)
  }
  if ((question.kind === 'group' || question.kind === 'absence') && stands(text)) faults.push('stands there by chance')
  for (const read of question.reads) {
    if (!('range' in read)) continue
    const lines = (output.text ?? '').split('\n').slice(read.range[0] - 1, read.range[1])
    if (!stands(lines.join('\n').toLowerCase())) faults.push(`lines ${read.range.join('-')} do not hold it`)
  }
  return faults
}
