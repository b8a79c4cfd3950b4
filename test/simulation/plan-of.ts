import { generateProgram } from '../programs/generate-program.ts'
import type { Program, ProgramKind } from '../programs/program.ts'
import { RandomStream } from '../programs/random-stream.ts'
import type { UpgradeKind } from '../programs/row.ts'
import { kindNamed, KINDS, remembersInProcess } from '../programs/table.ts'
import { FAULTLESS, type NetworkPlan } from './network.ts'
import type { PlacePlan } from './place.ts'
import type { Fault, Happening, Moment, Plan, RunPlan } from './plan.ts'
import { upgradeProgram } from './upgrade-program.ts'

/**
 * What kind of worlds there are. `calm`: no faults but slowness. `faulty`: everything. `clean`: faults, but no odd texts, no long paths and
 * no late starts. `limits`: runs of one tool with a limit. `neighbours`: runs beside one whose rows are refused. `upgrade`: workers with
 * another version of the programs. `encrypted`: with a key. `keys`: calls that share a key of `idempotent`, and workers that stand still.
 */
export const PROFILES = ['calm', 'faulty', 'clean', 'limits', 'neighbours', 'upgrade', 'encrypted', 'keys'] as const

export type Profile = (typeof PROFILES)[number]

/** Leaving rare kinds out makes room for the others: what is rare in all worlds is frequent in some. */
const RARE_KINDS = KINDS.filter((kind) => kindNamed(kind).weight < 9)

/** The share of worlds whose programs are of few kinds. */
const FEW_KINDS = 0.25

/** The items of a map share the key of an `idempotent` in it. */
const SHARING_KEYS: readonly ProgramKind[] = ['map', 'idempotent']

const HAPPENINGS: readonly [Happening, ...Happening[]] = ['claimed', 'parked', 'effect', 'undoing', 'undoing']

const UPGRADES: readonly [UpgradeKind, ...UpgradeKind[]] = ['rename_step', 'rename_part', 'add_behind', 'lower_bound']

const QUIRKS = ['isBlind', 'keepsEnded', 'reusesNumbers'] as const

/** A world for a seed. Programs, what befalls them, and their schedule have a stream each. */
export function planOf(seed: number, profile: Profile): Plan {
  return new Draft(seed, profile).plan()
}

class Draft {
  readonly #seed: number
  readonly #profile: Profile
  readonly #programs: RandomStream
  readonly #random: RandomStream
  readonly #without: ReadonlySet<ProgramKind>

  constructor(seed: number, profile: Profile) {
    this.#seed = seed
    this.#profile = profile
    this.#programs = new RandomStream(Math.imul(seed, 0x2545f491) ^ 0x3c6ef372)
    this.#random = new RandomStream(Math.imul(seed, 0x1b873593) ^ 0x7ed55d16)
    this.#without = new Set(this.#kindsLeftOut())
  }

  #kindsLeftOut(): readonly ProgramKind[] {
    if (this.#profile === 'keys') return this.#allBut(new Set([...SHARING_KEYS, this.#anyKind()]))
    return this.#programs.chance(FEW_KINDS) ? this.#allButFew() : RARE_KINDS.filter(() => this.#programs.chance(0.35))
  }

  /** Two kinds that are rare by themselves meet hardly ever: some worlds have nothing else. */
  #allButFew(): readonly ProgramKind[] {
    return this.#allBut(new Set(Array.from({ length: 3 }, () => this.#anyKind())))
  }

  #anyKind(): ProgramKind | undefined {
    return KINDS[this.#programs.below(KINDS.length)]
  }

  #allBut(kept: ReadonlySet<ProgramKind | undefined>): readonly ProgramKind[] {
    return KINDS.filter((kind) => !kept.has(kind))
  }

  plan(): Plan {
    const random = this.#random
    const profile = this.#profile
    const isWild = profile !== 'clean' && profile !== 'encrypted' && profile !== 'upgrade'
    const longest = profile === 'neighbours' ? 30 : isWild && random.chance(0.05) ? 50 : undefined
    const common = {
      seed: this.#seed,
      runs: this.#runs(isWild),
      workers: this.#isFaulty ? 1 + random.below(2) : 1,
      people: this.#people(),
      network: this.#network(),
      faults: this.#faults(),
      ...(random.chance(0.5) ? { busyMs: 0.05 } : {}),
      ...(longest === undefined ? {} : { longestPath: longest }),
      ...this.#places(),
    }
    switch (profile) {
      case 'limits':
        return { ...common, isOneTool: true, limit: { concurrency: 1, isOnFirstOnly: random.chance(0.5) } }
      case 'upgrade':
        return { ...common, ...this.#upgrade(common.runs) }
      case 'encrypted':
        return { ...common, isEncrypted: true }
      default:
        return common
    }
  }

  get #isFaulty(): boolean {
    return this.#profile !== 'calm'
  }

  /** All in one place, or in two that differ in one thing; half of the worlds have a machine for each worker. */
  #places(): Partial<Plan> {
    const random = this.#random
    if (!this.#isFaulty || random.chance(0.5)) return {}
    const one: PlacePlan = { start: 1, name: 1, space: 1, ...(random.chance(0.4) ? { [random.pick(QUIRKS)]: true } : {}) }
    if (random.chance(0.6)) return { places: [one], ...(random.chance(0.3) ? { workers: 3 } : {}) }
    return { places: [one, { ...one, [random.pick(['start', 'name', 'space'] as const)]: 2 }] }
  }

  #runs(isWild: boolean): RunPlan[] {
    const random = this.#random
    const hasSeveral = this.#profile === 'limits' || this.#profile === 'neighbours'
    const count = hasSeveral ? 3 : random.pick([1, 1, 2, 2, 3])
    return Array.from({ length: count }, (): RunPlan => {
      const cancel = this.#cancel()
      return {
        program: this.#program(isWild),
        ...(isWild && random.chance(0.03) ? { startAfterMs: random.pick([3_000, 200_000]) } : {}),
        ...(random.chance(0.2) ? { deadlineMs: Math.ceil(random.pick([5, 50, 500, 5000]) * random.next()) + 1 } : {}),
        ...(cancel === undefined ? {} : { cancel }),
        ...(random.chance(0.4) ? { isStartedByWorker: true } : {}),
      }
    })
  }

  #program(isWild: boolean): Program {
    const leaves = 2 + this.#programs.below(7)
    const root = this.#profile === 'keys' ? { root: 'map' as const } : {}
    return generateProgram(this.#programs, { leaves, without: this.#without, isPlain: !isWild, ...root })
  }

  /** Right after a statement, or after something that matters: what comes at any time meets little. */
  #moment(): Moment {
    const random = this.#random
    const afterMs = random.chance(0.5) ? 0.01 : random.between(0, 4)
    if (random.chance(0.65)) return { afterStatements: 3 + random.below(70), afterMs }
    return { afterHappening: { what: random.pick(HAPPENINGS), times: 1 + random.below(3) }, afterMs }
  }

  #cancel(): Moment | undefined {
    const random = this.#random
    if (random.chance(0.25)) return this.#moment()
    if (random.chance(0.1)) return { afterHappening: { what: 'parked', times: 1 }, afterMs: random.pick([0.01, 5, 500]) }
    return random.chance(0.15) ? { afterMs: random.pick([2, 20, 200, 2500, 12_000]) * random.next() } : undefined
  }

  #people(): Plan['people'] {
    const random = this.#random
    return {
      action: random.pick(['continue', 'continue', 'reject', 'stop']),
      afterMs: random.pick([1, 100, 3000, 6000]),
      deciders: 1 + random.below(2),
      ...(this.#profile === 'encrypted' && random.chance(0.5) ? { assigns: true } : {}),
    }
  }

  #network(): NetworkPlan {
    const random = this.#random
    const at = (chance: number, share: number): number => (this.#isFaulty && random.chance(chance) ? share : 0)
    return {
      ...FAULTLESS,
      lost: at(0.2, 0.03),
      unanswered: at(0.2, 0.03),
      unansweredCommits: at(0.25, 0.05),
      stuck: at(0.08, 0.01),
      swallowed: at(0.08, 0.01),
      lostNotices: random.chance(0.2) ? 0.5 : 0,
      slow: random.chance(0.5) ? 0.3 : 0,
      slowMs: random.pick([5, 50, 400]),
      usualMs: random.pick([0.1, 0.5, 3]),
    }
  }

  #faults(): Fault[] {
    const random = this.#random
    if (!this.#isFaulty) return []
    const faults: Fault[] = []
    if (random.chance(0.4)) faults.push(...random.some(1, 2, (): Fault => ({ kind: 'kill', ...this.#moment() })))
    if (random.chance(0.15)) faults.push({ kind: 'kill', afterMs: random.pick([5, 50, 500, 4000]) * random.next() })
    if (random.chance(this.#profile === 'keys' ? 0.8 : 0.25))
      faults.push({ kind: 'pause', ...this.#moment(), ms: random.between(9_000, 16_000) })
    if (random.chance(0.08)) faults.push({ kind: 'stop', ...this.#moment() })
    if (random.chance(0.08)) faults.push({ kind: 'restart', ...this.#moment() })
    if (random.chance(0.05)) faults.push({ kind: 'clock', ...this.#moment(), ms: random.pick([-3_600_000, 3_600_000]) })
    if (random.chance(0.05)) faults.push({ kind: 'slow', ...this.#moment(), ms: 5 })
    return faults
  }

  /** A change that the programs have a place for; a worker dies, so that another version goes on. */
  #upgrade(runs: readonly RunPlan[]): Partial<Plan> {
    const start = this.#random.below(UPGRADES.length)
    const order = [...UPGRADES.slice(start), ...UPGRADES.slice(0, start)]
    const upgrade = order.find((kind) =>
      runs.some(({ program }) => upgradeProgram(program, kind) !== undefined && !remembersInProcess(program)),
    )
    if (upgrade === undefined) return {}
    // One version after the other, or both at the same time.
    if (this.#random.chance(0.5)) return { upgrade, workers: 2 }
    return { upgrade, faults: [...this.#faults(), { kind: 'kill', ...this.#moment() }] }
  }
}
