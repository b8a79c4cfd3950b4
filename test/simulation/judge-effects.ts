import { inEntry } from '../../src/run/journal/place.ts'
import { SHIELDED, TIDIED } from '../programs/compound.ts'
import { kindOf } from '../programs/table.ts'
import type { RunRecord } from './run-record.ts'
import { withoutAttempts } from './simulated-ledger.ts'
import { firstVersionPath } from './upgrade-program.ts'
import type { World } from './world.ts'

/** An order that was on its way when the run ended arrives within so many milliseconds. */
const ON_ITS_WAY_MS = 110
/** Where each task of a process takes longer, so does what sends it. */
const A_SLOW_PROCESS_MS = 500
/** A step that was begun in time may wait for its record. */
const A_WRITE_MS = 2000
const DEADLINE = ':deadline'

/** Effects of a run: recorded before they begin, under one key each, once, and none after the end. */
export function judgeEffects(world: World, { row, entries, effects, started }: RunRecord): readonly string[] {
  const problems: string[] = []
  const keys = new Set(entries.flatMap(({ kind, key }) => (kind === 'call' ? key : [])))
  const endedAt = row.ended_at === null ? Infinity : row.ended_at - world.beginning
  const slowness = world.plan.faults.some((fault) => fault.kind === 'slow') ? A_SLOW_PROCESS_MS : 0
  const keysByPath = new Map<string, Set<string>>()
  const places = new Map<string, string>()
  const { upgrade } = world.plan
  for (const { key, path, isKeyed, times, at, kind } of effects) {
    if (!keys.has(key)) problems.push(`an effect without an entry: ${path}`)
    if (!isKeyed && times > 1) problems.push(`an effect without a key happened more than once: ${path}`)
    if (at > endedAt + ON_ITS_WAY_MS + slowness) problems.push(`an effect after the end of its run: ${path}`)
    keysByPath.set(path, (keysByPath.get(path) ?? new Set()).add(key))
    if (upgrade === undefined || kind === 'undo') continue
    const place = firstVersionPath(withoutAttempts(path), upgrade)
    const before = places.get(place)
    if (before !== undefined && withoutAttempts(before) !== withoutAttempts(path)) problems.push(`done again under another name: ${path}`)
    places.set(place, path)
  }
  const program = world.plan.runs[started.number]?.program
  const run = { upgrade, why: row.why ?? '', paths: entries.map(({ path }) => path) }
  if (program !== undefined) problems.push(...(kindOf(program).judge?.(program, run) ?? []))
  problems.push(...judgeDeadlines(world, { entries, effects }))
  for (const [path, own] of keysByPath) if (own.size > 1) problems.push(`two keys for one step: ${path}`)
  return problems
}

/** A part with a deadline of its own begins nothing when its time is up, whoever has the run by then. Where people are asked, its clock stands. */
function judgeDeadlines(
  { plan, people, beginning }: World,
  { entries, effects }: Pick<RunRecord, 'entries' | 'effects'>,
): readonly string[] {
  const { network, faults } = plan
  if (network.stuck + network.swallowed > 0 || faults.some(({ kind }) => kind === 'pause' || kind === 'slow')) return []
  return entries.flatMap(({ run, kind, path, full_path: fullPath, data }) => {
    if (kind !== 'decision' || !path.endsWith(DEADLINE) || data === null) return []
    const part = path.slice(0, -DEADLINE.length)
    const place = `${part}/`
    const asks = entries.some((entry) => entry.kind === 'review' && (entry.path.startsWith(place) || entry.path.startsWith(`${part}:`)))
    if (asks) return []
    const { at, ms } = people.values.unseal(data, inEntry(run, fullPath ?? path, 'data')) as { readonly at: number; readonly ms: number }
    const end = at + ms - beginning + ON_ITS_WAY_MS + A_WRITE_MS
    const isBound = (effect: string): boolean => {
      const labels = withoutAttempts(effect.slice(place.length)).split('/')
      return effect.startsWith(place) && !labels.includes(SHIELDED) && !labels.includes(TIDIED)
    }
    const late = effects.filter((effect) => effect.kind === 'do' && !effect.isLate && isBound(effect.path) && effect.at > end)
    return late.map((effect) => `an effect began after the deadline of its part: ${effect.path}`)
  })
}
