import type { RunRecord } from './run-record.ts'

/** The runtime of the simulation does not change the number of attempts. */
const MOST_ATTEMPTS = 3

/** The attempts at a step that only reads: no more than are allowed, each after one that was to be followed, and the last one counts. */
export function judgeReads({ entries, value }: RunRecord): readonly string[] {
  const problems: string[] = []
  const isFollowed = (path: string): boolean | undefined => {
    const entry = entries.find((each) => each.kind === 'call' && each.path === path)
    if (entry === undefined || entry.data === null) return undefined
    return typeof (value(entry) as { readonly retryAt?: unknown }).retryAt === 'number'
  }
  for (const { kind, path } of entries) {
    const [, step = '', number = ''] = /^(.*):@(\d+)$/.exec(path) ?? []
    if (kind !== 'call' || step === '') continue
    const attempt = Number(number)
    if (attempt > MOST_ATTEMPTS) problems.push(`a read was tried more often than it may: ${path}`)
    if (isFollowed(attempt === 2 ? step : `${step}:@${attempt - 1}`) !== true)
      problems.push(`an attempt at a read follows one that was the last: ${path}`)
    if (attempt === MOST_ATTEMPTS && isFollowed(path) === true) problems.push(`the last attempt at a read is to be followed: ${path}`)
  }
  return problems
}
