import { behindGate, gateOn, looseInside, type OrderFacts, PUT_IT_LAST, type Way } from './check-order.ts'
import type { Finding } from './finding.ts'
import type { ObservedCalls } from './observed-calls.ts'
import { partPath, type Place, type PlacedPart } from './survey.ts'
import { forwardParts } from './undoable-steps.ts'

/**
 * The code of a compound decides in which order its parts run and what they get. Before a run nobody can tell: a finding says so. Of what is
 * recorded, the order is judged.
 */
export function checkCompounds(places: readonly Place[], facts: OrderFacts, observed: Observed): readonly Finding[] {
  return places.flatMap((place) => {
    const effects = forwardParts(place).filter(({ part }) => part.tool.effect !== 'read')
    if (place.plan.order !== 'free' || effects.length === 0) return []
    const calls = observed.get(place) ?? []
    return [...effects.flatMap((each) => observedBefore(place, each, { ...facts, calls })), unseen(place, effects, { ...facts, calls })]
  })
}

type Observed = ReadonlyMap<Place, readonly ObservedCalls[]>

interface Calls extends OrderFacts {
  readonly calls: readonly ObservedCalls[]
}

function isLoose({ place }: PlacedPart, { loose }: OrderFacts): boolean {
  return place !== undefined && loose.has(place)
}

/** It is a step that cannot be undone, or has one inside, and no gate on the way to that step asks, not even sometimes. */
function isUnasked(way: Way | undefined, { place }: PlacedPart, { loose }: OrderFacts): boolean {
  if (way === undefined || place === undefined || !loose.has(place)) return false
  return looseInside(place, way, loose).some(({ gate }) => gate?.asks !== 'sometimes')
}

function unseen(whole: Place, effects: readonly PlacedPart[], facts: Calls): Finding {
  const { calls, ungated } = facts
  const isGrave = calls.length === 0 && effects.some((each) => isUnasked(ungated.get(whole), each, facts))
  const names = effects.map(({ part }) => `'${part.label}'`).join(', ')
  const seen = calls.length === 0 ? '' : ` ${ordersText(calls)}`
  return {
    severity: isGrave ? 'warning' : 'note',
    code: 'order_unseen',
    path: whole.path,
    message: `The code of '${whole.path}' decides when ${names} ${effects.length === 1 ? 'takes' : 'take'} effect, and on which input: neither can be checked before a run.${seen}`,
    hint: 'Make it a pipeline or a saga, with fill and from for its inputs: then order and edges are checked. Or check what runs of it did: check(tool, { recorded }), toolwright check --recorded.',
  }
}

const MOST_ORDERS = 3

/** `Recorded calls of it: find, charge, mail (12 times); find, charge (once).` */
function ordersText(calls: readonly ObservedCalls[]): string {
  const counts = new Map<string, number>()
  for (const each of calls) {
    const order = each.map(({ part }) => part.label).join(', ')
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  const orders = [...counts].toSorted((a, b) => b[1] - a[1])
  const shown = orders.slice(0, MOST_ORDERS).map(([order, count]) => `${order} (${count === 1 ? 'once' : `${count} times`})`)
  const more = orders.length - shown.length
  return `Recorded calls of it: ${shown.join('; ')}${more > 0 ? `; and ${more} other ${more === 1 ? 'order' : 'orders'}` : ''}.`
}

/** A part that cannot be undone was called before one that can fail. The code may undo it, which a plan does not show: so this is a warning. */
function observedBefore(whole: Place, each: PlacedPart, facts: Calls): readonly Finding[] {
  const way = facts.ungated.get(whole)
  if (way === undefined || !isLoose(each, facts)) return []
  const later = new Set<PlacedPart>()
  let count = 0
  for (const calls of facts.calls) {
    const from = calls.indexOf(each)
    const risky = from === -1 ? [] : calls.slice(from + 1).filter(({ place }) => place === undefined || facts.fallible.has(place))
    if (risky.length > 0) count++
    for (const part of risky) later.add(part)
  }
  if (count === 0) return []
  const own = partPath(whole, each.part, way.path)
  const others = Array.from(later, ({ part }) => (part === each.part ? 'itself' : `'${part.label}'`)).join(', ')
  const message = `'${own}' cannot be undone, and ran before ${others}, which can fail, in ${count} of ${facts.calls.length} recorded calls.`
  const finding: Finding = { severity: 'warning', code: 'irreversible_before_fallible', path: own, message, hint: PUT_IT_LAST }
  return [behindGate(finding, each.place === undefined ? way.gate : gateOn(way.gate, each.place.plan))]
}
