import type { BenchOutput } from '../bench-output.ts'
import { randomOf } from '../random.ts'
import * as configs from './configs.ts'
import * as documents from './documents.ts'
import * as figures from './figures.ts'
import * as logs from './logs.ts'
import * as rest from './rest.ts'
import * as terminal from './terminal.ts'

const writers = [rest, logs, terminal, configs, documents, figures].flatMap((file) => Object.entries(file)).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, write]) => write)

/** Decides which kinds the router's rules may be mended by; nobody chose it. */
const SPLIT_SEED = 20_261_118

/** Half of the kinds may be looked at one by one; of the other half only the percentages are known. */
export function wideOutputs(seed: number, half: 'seen' | 'held out'): BenchOutput[] {
  const random = randomOf(SPLIT_SEED)
  const order = writers.map((write, at) => ({ write, at, place: random.next() })).toSorted((a, b) => a.place - b.place)
  const middle = Math.ceil(order.length / 2)
  const chosen = half === 'seen' ? order.slice(0, middle) : order.slice(middle)
  return chosen.map(({ write, at }) => write(seed * 6007 + at * 15_485_863))
}
