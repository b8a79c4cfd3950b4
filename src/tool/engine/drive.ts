import { isRecord } from '../../schema/json-schema.ts'
import type { Progress } from '../event.ts'
import { textOf } from '../result/text-of.ts'
import type { Call } from './call.ts'

type AnyGenerator = AsyncGenerator | Generator

/** The result of a `function*`. A plain iterator, such as that of a list, is an ordinary value. */
export function isGenerator(value: unknown): value is AnyGenerator {
  if (!isRecord(value) || typeof value['next'] !== 'function') return false
  return Symbol.asyncIterator in value || Object.prototype.toString.call(value) === '[object Generator]'
}

/** Every yield of a tool's generator is a report of progress; its return value is the output. */
export async function drive(generator: AnyGenerator, call: Call): Promise<unknown> {
  try {
    for (;;) {
      const step = await generator.next()
      if (step.done === true) return step.value as unknown
      call.progress(asProgress(step.value))
      if (call.scope.closed !== undefined) return undefined
    }
  } finally {
    if (call.scope.closed !== undefined) await generator.return(undefined)
  }
}

function asProgress(value: unknown): Progress {
  const isProgress = isRecord(value) && ('message' in value || 'progress' in value)
  return isProgress ? value : { message: textOf(value) }
}
