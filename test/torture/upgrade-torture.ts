import type { ChildProcess } from 'node:child_process'
import type { Losses } from './check-runs.ts'
import { killChild, startChild } from './child.ts'
import type { DeciderOrder, Taken } from './decider-process.ts'
import { lostApprovals } from './lost-approvals.ts'
import type { Verdict } from './run-end.ts'
import { openScene } from './scene.ts'
import { UpgradeRound, type UpgradeWay } from './upgrade-round.ts'
import { type UpgradedRun, upgradeVerdict } from './upgrade-verdict.ts'

export interface UpgradeOptions {
  readonly runs: number
  readonly seed: number
  /** No upgrade begins after so long. */
  readonly minutes: number
  readonly tell: (line: string) => void
}

/** What came of it. */
export interface UpgradeReport extends Losses {
  readonly runs: number
  readonly singleUpgrades: number
  readonly rollingUpgrades: number
  /** Runs that the new version would not go on with, and that the old one was given back. */
  readonly refused: number
  readonly effects: number
  readonly approvals: number
  readonly seconds: number
}

const MOST_RUNS = 150
const WAYS: readonly UpgradeWay[] = ['single', 'rolling']

/** Upgrades the workers of one version to another, all at once and side by side, while runs are under way in every state. */
export async function upgradeTorture({ runs, seed, minutes, tell }: UpgradeOptions): Promise<UpgradeReport> {
  const since = performance.now()
  const seconds = (): number => Math.round((performance.now() - since) / 1000)
  const rounds: Round[] = []
  for (let left = runs; left > 0 && seconds() < minutes * 60;) {
    const way = WAYS[rounds.length % WAYS.length] ?? 'single'
    const count = Math.min(left, MOST_RUNS, Math.ceil(runs / WAYS.length))
    const round = await playRound({ way, runs: count, seed: seed + rounds.length })
    rounds.push(round)
    left -= count
    tell(`${way} upgrade under ${count} runs: ${round.runs.filter(({ refusal }) => refusal !== undefined).length} refused`)
  }
  const all = rounds.flatMap((round) => round.runs)
  const verdicts = all.map((run) => told(run, upgradeVerdict(run)))
  const count = (way: UpgradeWay): number => rounds.filter((round) => round.way === way).length
  return {
    lost: verdicts.flatMap(({ lost }) => lost),
    twice: verdicts.flatMap(({ twice }) => twice),
    notUndone: [],
    refusedWrongly: verdicts.flatMap(({ refusedWrongly }) => refusedWrongly),
    approvalsLost: rounds.flatMap(({ approvalsLost }) => approvalsLost),
    runs: all.length,
    singleUpgrades: count('single'),
    rollingUpgrades: count('rolling'),
    refused: all.filter(({ refusal }) => refusal !== undefined).length,
    effects: all.reduce((sum, { records }) => sum + records.length, 0),
    approvals: rounds.reduce((sum, { approvals }) => sum + approvals, 0),
    seconds: seconds(),
  }
}

interface Round {
  readonly way: UpgradeWay
  readonly runs: readonly UpgradedRun[]
  readonly approvals: number
  readonly approvalsLost: readonly string[]
}

async function playRound(options: { readonly way: UpgradeWay; readonly runs: number; readonly seed: number }): Promise<Round> {
  const scene = await openScene()
  const taken: Taken[] = []
  const deciders: ChildProcess[] = []
  const onUpgrade = async (): Promise<void> => {
    const order: DeciderOrder = { home: scene.home, by: 'ada', seed: options.seed }
    const decider = await startChild('decider-process.ts', { order })
    deciders.push(decider.on('message', (message) => taken.push(message as Taken)))
  }
  try {
    const runs = await new UpgradeRound(scene, { ...options, onUpgrade }).run()
    return { way: options.way, runs, approvals: taken.length, approvalsLost: await lostApprovals(scene.store, taken) }
  } finally {
    await Promise.all(deciders.map(killChild))
    await scene.close()
  }
}

function told({ id, upgrade, records, status }: UpgradedRun, { lost, twice, notUndone, refusedWrongly }: Verdict): Verdict {
  const did = records.map(({ kind, path }) => `${kind} ${path}`).join(', ')
  const tell = (problems: readonly string[]): readonly string[] =>
    problems.map((problem) => `${id} ${upgrade.name} (${status}): ${problem} [${did}]`)
  return { lost: tell(lost), twice: tell(twice), notUndone, refusedWrongly: tell(refusedWrongly) }
}
