import { readClock } from './date-readings.ts'
import type { Candidate } from './leaf-rule.ts'
import type { Misfit } from './walk.ts'

const SIDES = /^(?:from\s+)?(\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?)\s*(?:-|–|—|to|until|till)\s*(\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?)$/i
const JOINTS = ['-', '/', ' - ', '–', ' to ', '..']

/** `9am - 5pm` where a pattern takes two times of day. Both must be times by themselves: `9-5` is none. */
export function clockRange(text: string, { node, walk }: Misfit): readonly Candidate[] {
  if (node.pattern === undefined || node.listed !== undefined) return []
  const clocks = (SIDES.exec(text) ?? []).slice(1).map((side) => readClock(side)?.text.replace(/:00$/, ''))
  const [first, second] = clocks
  if (first === undefined || second === undefined) return []
  const written = JOINTS.map((joint) => `${first}${joint}${second}`).filter((each) => each !== text && walk.fits(node.schema, each))
  return written.length === 1 ? written.map((value) => ({ value, rule: 'range', cost: 3 })) : []
}
