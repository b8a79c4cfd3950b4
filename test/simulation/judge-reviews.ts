import { inApproval, inEntry } from '../../src/run/journal/place.ts'
import type { ReviewDecision } from '../../src/tool/review.ts'
import type { ApprovalRow } from './tables.ts'
import type { World } from './world.ts'

/** Requests: one decision each, which stands in the journal as it was made, and none open in a run that has ended. */
export function judgeReviews(world: World): readonly string[] {
  const { database, people, plan } = world
  const problems: string[] = []
  const counted = Map.groupBy(people.counted, ({ request }) => request)
  // Whoever got no answer may have been first: it tries again, and is told that it was too late.
  const isCertain = plan.network.unanswered + plan.network.unansweredCommits === 0
  const cancelled = new Map(people.started.map(({ id, cancelledAt }) => [id, cancelledAt]))
  for (const row of database.tables.approval.values()) {
    const run = row.run === null ? undefined : database.tables.run.get(row.run)
    if (row.status === 'open' && run !== undefined && run.ended_at !== null) problems.push('a request is open in a run that has ended')
    const cancelledAt = run === undefined || run.cancel === null ? undefined : cancelled.get(run.id)
    if (row.decision !== null && cancelledAt !== undefined && !row.is_shielded && (row.closed_at ?? 0) - world.beginning > cancelledAt)
      problems.push('a request was decided after its run had been cancelled')
    const told = counted.get(row.id) ?? []
    if (told.length > 1 && isCertain) problems.push('two people were told that their decision counts')
    if (told.length > 0 && row.decision === null) problems.push('a decision that was said to count is gone')
    if (row.decision !== null) problems.push(...judgeDecision(world, row, row.decision, told[0]?.by))
  }
  return problems
}

function judgeDecision(
  { database, people }: World,
  { id, run, path }: ApprovalRow,
  sealed: string,
  by: string | undefined,
): readonly string[] {
  const decision = people.values.unseal(sealed, inApproval(run, id, 'decision')) as unknown as ReviewDecision
  const problems: string[] = []
  if (by !== undefined && decision.by !== by) problems.push('a decision is recorded as made by somebody else')
  const entry = run === null ? undefined : database.tables.entry.get(`${run}\n${path}`)
  if (entry?.kind !== 'review' || entry.data === null) return [...problems, 'a decision does not stand in the journal']
  const recorded = (people.values.unseal(entry.data, inEntry(entry.run, path, 'data')) as unknown as { readonly decision?: ReviewDecision })
    .decision
  if (JSON.stringify(recorded) !== JSON.stringify(decision)) problems.push('a decision stands in the journal otherwise than it was made')
  return problems
}
