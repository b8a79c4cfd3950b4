import { parseArgs } from 'node:util'
import { PROFILES, type Profile } from './plan-of.ts'
import type { Plan } from './plan.ts'

/** What the command was asked for. */
export interface SimulateOptions {
  readonly profiles: readonly Profile[]
  readonly seed: number
  readonly stride: number
  /** Undefined where time alone bounds it. */
  readonly worlds: number | undefined
  readonly seconds: number
  readonly plan: Plan | undefined
  readonly isTraced: boolean
  readonly shrinkSeconds: number
  /** Ends with the first problem of a kind that begins with one of these; all kinds by default. */
  readonly until: RegExp | undefined
  /** Kinds that do not count. */
  readonly ignored: RegExp | undefined
  /** Writes the traces of faulty worlds into this file, with so many statements. */
  readonly record: { readonly file: string; readonly statements: number } | undefined
  readonly isMutating: boolean
  /** Of the mutants, those whose names it matches. */
  readonly mutants: RegExp | undefined
  /** Runs the fixed plans in so many schedules each, and prints one line of JSON for each. */
  readonly fixed: number | undefined
  readonly processes: number
}

const MOST_PROCESSES = 2

/** Reads the flags of `npm run test:simulate`. */
export function simulateOptions(flags: readonly string[]): SimulateOptions {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      profile: { type: 'string' },
      seed: { type: 'string' },
      stride: { type: 'string', default: '1' },
      worlds: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      hours: { type: 'string' },
      plan: { type: 'string' },
      trace: { type: 'boolean', default: false },
      shrink: { type: 'string', default: '20' },
      until: { type: 'string' },
      ignore: { type: 'string' },
      record: { type: 'string' },
      statements: { type: 'string', default: '2000' },
      fixed: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      mutant: { type: 'string' },
      processes: { type: 'string' },
    },
  })
  const { profile, seed, worlds, seconds, minutes, hours, plan, until, ignore, processes } = values
  const time = hours !== undefined ? 3600 * Number(hours) : minutes !== undefined ? 60 * Number(minutes) : Number(seconds ?? 60)
  return {
    profiles: profile === undefined ? PROFILES : profile.split(',').map(profileNamed),
    seed: seed === undefined ? seedOfTheDay() : Number(seed),
    stride: Number(values.stride),
    worlds: worlds === undefined ? undefined : Number(worlds),
    seconds: worlds !== undefined && seconds === undefined && minutes === undefined && hours === undefined ? Infinity : time,
    plan: plan === undefined ? undefined : (JSON.parse(plan) as Plan),
    isTraced: values.trace,
    shrinkSeconds: Number(values.shrink),
    until: until === undefined ? undefined : new RegExp(until),
    ignored: ignore === undefined ? undefined : new RegExp(ignore),
    mutants: values.mutant === undefined ? undefined : new RegExp(values.mutant),
    record: values.record === undefined ? undefined : { file: values.record, statements: Number(values.statements) },
    isMutating: values.mutants,
    fixed: values.fixed === undefined ? undefined : Number(values.fixed),
    processes: processes === undefined ? (hours === undefined ? 1 : MOST_PROCESSES) : Number(processes),
  }
}

function profileNamed(name: string): Profile {
  const known = PROFILES.find((profile) => profile === name)
  if (known === undefined) throw new Error(`There is no profile '${name}'. There are: ${PROFILES.join(', ')}.`)
  return known
}

/** Other worlds every day, and the same all day. */
function seedOfTheDay(): number {
  const today = new Date()
  return ((today.getUTCFullYear() * 100 + today.getUTCMonth() + 1) * 100 + today.getUTCDate()) * 100
}
