import { sideBySide, someOf } from '../../tool/figures.ts'
import type { Estimates } from '../../tool/metadata.ts'
import type { Join } from './join.ts'

interface Running {
  readonly join: Join
  readonly needed: number
  readonly limit: number
}

/** The figures of the whole: as fast as the slowest branch, or as the fastest; all must succeed, or some. */
export function parallelFigures({ join, needed, limit }: Running) {
  const { kind, afterMs } = join
  return (parts: readonly Estimates[]): Estimates => {
    const figures = kind === 'all' ? sideBySide(parts) : someOf(inTime(parts, afterMs), needed)
    const timeOf = (figure: 'latencyMs' | 'p99Ms'): number | undefined =>
      within(kind === 'first' ? lowest(known(parts.slice(0, limit), figure)) : untilLast(known(parts, figure), limit), afterMs)
    const accuracy = kind === 'first' || kind === 'best' ? lowest(known(parts, 'accuracy')) : figures.accuracy
    return { ...figures, latencyMs: timeOf('latencyMs'), p99Ms: timeOf('p99Ms'), accuracy }
  }
}

/** What takes longer than the whole waits does not answer. */
function inTime(parts: readonly Estimates[], afterMs = Infinity): readonly Estimates[] {
  return parts.map((part) => ((part.latencyMs ?? 0) > afterMs ? { ...part, reliability: 0 } : part))
}

function known(parts: readonly Estimates[], figure: keyof Estimates): readonly number[] {
  return parts.map((part) => part[figure]).filter((each) => each !== undefined)
}

function lowest(figures: readonly number[]): number | undefined {
  return figures.length === 0 ? undefined : Math.min(...figures)
}

function within(time: number | undefined, afterMs: number | undefined): number | undefined {
  return time === undefined || afterMs === undefined ? time : Math.min(time, afterMs)
}

/** Until the last has ended, each begun in its order as soon as there is a place. */
function untilLast(times: readonly number[], limit: number): number | undefined {
  if (times.length <= limit) return times.length === 0 ? undefined : Math.max(...times)
  const places = Array.from({ length: limit }, () => 0)
  for (const time of times) {
    const free = places.indexOf(Math.min(...places))
    places[free] = (places[free] as number) + time
  }
  return Math.max(...places)
}
