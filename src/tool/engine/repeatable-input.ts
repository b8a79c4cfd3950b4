import { isUnionIssue } from '../../schema/describe-issues.ts'
import { isPlainRecord } from '../../schema/json-schema.ts'
import type { StandardIssue } from '../../schema/standard-schema.ts'
import { issuesBehind } from '../input/decoded-arguments.ts'
import { isSame } from './same-input.ts'

/** What was given, and what the schema has made of it. */
interface Validated {
  readonly given: unknown
  readonly input: unknown
  readonly accept: (input: unknown) => Promise<unknown>
}

/** A part behind another can hide its reason, so that not all are found at once. */
const MOST_ROUNDS = 6

/**
 * The validated input as one that can be validated again, so that a person can see it and edit it: with its defaults, and with each coerced
 * or replaced part as it will run. A part that a transform has made of another is as it was given, since only that can be validated again.
 * The given input if there is no such mixture of both.
 */
export async function repeatableInput({ given, input, accept }: Validated): Promise<unknown> {
  // The schema takes it as it is: it was asked for this very value.
  if (isSame(given, input)) return input
  let candidate = input
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const places = new Places()
    await findChanging(candidate, { input, accept, places })
    if (places.isEmpty) return candidate
    if (round === 0) findForeign(input, places)
    candidate = withGiven(candidate, given, places)
    if (candidate === given) break
  }
  return given
}

/** Whether the schema makes another thing of what is shown, and the same one each time: a resumed run then knows it again. */
export async function isMadeOf(shown: unknown, { input, accept }: Pick<Validated, 'input' | 'accept'>): Promise<boolean> {
  if (isSame(shown, input)) return false
  try {
    return isSame(await accept(shown), input)
  } catch {
    return false
  }
}

/** Places in a value. A place that is meant as a whole has none inside it. */
class Places {
  readonly inside = new Map<string, Places>()
  isWhole = false

  get isEmpty(): boolean {
    return !this.isWhole && this.inside.size === 0
  }

  at(name: string): Places {
    let place = this.inside.get(name)
    if (place === undefined) this.inside.set(name, (place = new Places()))
    return place
  }
}

interface Search extends Pick<Validated, 'input' | 'accept'> {
  readonly places: Places
}

/** The parts of the candidate that are refused, or of which something else than the input is made. */
async function findChanging(candidate: unknown, { input, accept, places }: Search): Promise<void> {
  try {
    const again = await accept(candidate)
    if (!isSame(again, input)) findDifferences(again, input, places)
  } catch (error) {
    const issues = issuesBehind(error)
    if (issues.length === 0) places.isWhole = true
    for (const issue of issues) findIssue(issue, places)
  }
}

/** Of a union, the problems of the option that has the fewest. */
function findIssue(issue: StandardIssue, places: Places): void {
  let place = places
  for (const part of issue.path ?? []) place = place.at(String(typeof part === 'object' ? part.key : part))
  const options = isUnionIssue(issue)
    ? issue.errors.filter((option) => option.every(({ path }) => path !== undefined && path.length > 0))
    : []
  const [nearest] = options.toSorted((one, other) => one.length - other.length)
  if (nearest === undefined || nearest.length === 0) place.isWhole = true
  else for (const each of nearest) findIssue(each, place)
}

function findDifferences(one: unknown, other: unknown, places: Places): void {
  const [ones, others] = [partsOf(one), partsOf(other)]
  if (ones === undefined || others === undefined || Array.isArray(one) !== Array.isArray(other)) {
    if (!isSame(one, other)) places.isWhole = true
    return
  }
  for (const name of new Set([...ones.keys(), ...others.keys()])) {
    const inside = new Places()
    findDifferences(ones.get(name), others.get(name), inside)
    if (!inside.isEmpty) places.inside.set(name, inside)
  }
}

/** Parts that JSON does not have are mostly made by transforms. To name them at once spares rounds. */
function findForeign(value: unknown, places: Places): void {
  const parts = partsOf(value)
  if (parts === undefined) places.isWhole ||= !(value === null || ['string', 'number', 'boolean'].includes(typeof value))
  else
    for (const [name, each] of parts) {
      const inside = places.inside.get(name) ?? new Places()
      findForeign(each, inside)
      if (!inside.isEmpty) places.inside.set(name, inside)
    }
}

/** A copy with the parts at these places as they were given. A field that was not given is left out. */
function withGiven(candidate: unknown, given: unknown, { isWhole, inside }: Places): unknown {
  if (inside.size === 0 && !isWhole) return candidate
  const [parts, givens] = [partsOf(candidate), partsOf(given)]
  const isList = Array.isArray(candidate)
  if (isWhole || parts === undefined || givens === undefined || isList !== Array.isArray(given)) return given
  if (isList && parts.size !== givens.size) return given
  for (const [name, places] of inside) {
    if (givens.has(name)) parts.set(name, parts.has(name) ? withGiven(parts.get(name), givens.get(name), places) : givens.get(name))
    else if (isList || !parts.delete(name)) return given
  }
  return isList ? [...parts.values()] : Object.fromEntries(parts)
}

/** The fields or items of plain data, by name. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  return Array.isArray(value) || isPlainRecord(value) ? new Map(Object.entries(value)) : undefined
}
