import { branch } from '../../src/combinators/branch/branch.ts'
import { classify } from '../../src/combinators/branch/classify.ts'
import { when } from '../../src/combinators/branch/route.ts'
import { cache } from '../../src/combinators/cache/cache.ts'
import { gate } from '../../src/combinators/gate/gate.ts'
import { idempotent } from '../../src/combinators/idempotent/idempotent.ts'
import { loop } from '../../src/combinators/loop/loop.ts'
import { map } from '../../src/combinators/map/map.ts'
import { all, best, first, type Join, type JoinKind, partial, quorum } from '../../src/combinators/parallel/join.ts'
import { parallel } from '../../src/combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import { saga, type SagaBuilder } from '../../src/combinators/saga/saga.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { compound } from '../../src/tool/compound.ts'
import type { ToolContext } from '../../src/tool/context.ts'
import { jsonSchema } from '../../src/tool/contract.ts'
import { tool } from '../../src/tool/tool.ts'
import { ODD_TEXT, type PlaceOrder } from './leaf-order.ts'
import type { CompensationKind, LeafProgram, Program, SagaStepProgram } from './program.ts'

export interface BuildOptions {
  /** The names of all tools begin with it. */
  readonly prefix: string
  readonly order: PlaceOrder
  /** What every tool is given and gives; `x` by default. */
  readonly text?: string
}

/** A program as a tool. */
type Part = AgentTool<string, unknown>

export interface BuiltProgram {
  readonly tool: Part
  /** The names of leaves that are steps of a saga with a compensation that can work. */
  readonly undoable: ReadonlySet<string>
}

/** Makes the tools of a program. The name of a tool tells its kind and its position: `r0_saga01` is the second part of the first part. */
export function buildProgram(program: Program, options: BuildOptions): BuiltProgram {
  const building = new Building(options)
  return { tool: building.make(program, ''), undoable: building.undoable }
}

const DESCRIPTION = 'A part of a program.'
const ANSWER = jsonSchema({ type: 'string' })

class Building {
  readonly undoable = new Set<string>()
  readonly #options: BuildOptions
  readonly #text: string
  readonly #begin: Part

  constructor(options: BuildOptions) {
    this.#options = options
    this.#text = options.text ?? 'x'
    this.#begin = tool({ name: `${options.prefix}begin`, description: DESCRIPTION, effect: 'read', execute: () => this.#text })
  }

  make(program: Program, at: string): Part {
    const text = this.#text
    switch (program.kind) {
      case 'leaf':
        return this.#leaf(program, 'do', program.name ?? at)
      case 'pipe':
        return this.#pipe(this.#all(program.parts, at), at)
      case 'parallel':
        return this.#parallel(program, at)
      case 'map':
        return this.#map(program, at)
      case 'loop': {
        const { turn, turns, most } = program
        const until = (_value: unknown, count: number): boolean => count >= turns
        return loop(this.make(turn, `${at}0`), { name: this.#name('loop', at), until, maxTurns: most, next: () => text })
      }
      case 'gate': {
        const { inner, timeoutMs, onTimeout } = program
        const time = timeoutMs === 0 ? {} : { timeout: timeoutMs, onTimeout }
        return gate(this.make(inner, `${at}0`), { approval: true, why: `Somebody should know about ${text}.`, ...time })
      }
      case 'saga':
        return this.#saga(program.steps, at)
      case 'sleep':
        return this.#around(program, at, (context) => context.sleep(program.ms))
      case 'ask': {
        const time = program.timeoutMs === 0 ? {} : { timeout: program.timeoutMs }
        return this.#around(program, at, (context) => context.ask({ question: `What of ${text}?`, answerSchema: ANSWER, ...time }))
      }
      case 'deadline':
        return this.#around(program, at, () => undefined)
      case 'seq':
        return this.#seq(program, at)
      case 'flows':
        return this.#flows(program, at)
      case 'branch': {
        const routes = this.#all(program.routes, at).map((route, index) =>
          when(() => index === program.taken, route, { name: `r${index}` }),
        )
        return branch({ name: this.#name('branch', at), description: DESCRIPTION }, routes) as unknown as Part
      }
      case 'classify': {
        const { taken, isSure } = program
        const routes = labelled(
          'c',
          this.#all(program.routes, at).map((each) => ({ tool: each, description: DESCRIPTION })),
        )
        const classifier = (): Promise<{ route: string; confidence: number }[]> =>
          Promise.resolve([{ route: `c${taken}`, confidence: isSure ? 0.9 : 0.3 }])
        return classify(classifier, { name: this.#name('classify', at), description: DESCRIPTION, routes }) as unknown as Part
      }
      case 'cache':
        return cache(this.make(program.inner, `${at}0`), { ttl: program.ttlMs, anyEffect: true })
      case 'idempotent':
        return idempotent(this.make(program.inner, `${at}0`), { key: () => `${this.#options.prefix}${at}` })
    }
  }

  #name(kind: string, at: string): string {
    return `${this.#options.prefix}${kind}${at}`
  }

  #all(programs: readonly Program[], at: string): Part[] {
    return programs.map((each, index) => this.make(each, `${at}${index}`))
  }

  #leaf({ mode, ms, effect, isKeyed }: LeafProgram, kind: 'do' | 'undo', at: string): Part {
    const name = this.#name(effect === 'read' ? 'look' : kind === 'do' ? 'act' : 'undo', at)
    return tool({
      name,
      description: DESCRIPTION,
      effect,
      idempotent: isKeyed ? 'keyed' : false,
      execute: async (_input, { path, idempotencyKey: key, signal, task: run = '' }) => {
        await this.#options.order({ run, leaf: name, kind: effect === 'read' ? 'look' : kind, path, key, isKeyed, mode, ms }, signal)
        return mode === 'odd_value' ? ODD_TEXT : this.#text
      },
    })
  }

  #pipe(parts: readonly Part[], at: string): Part {
    const [head = this.#begin, ...rest] = parts
    let builder = ToolPipeline.builder().name(this.#name('pipe', at)).description(DESCRIPTION).step(head)
    for (const part of rest) builder = builder.adapter(() => this.#text).step(part)
    return builder.build()
  }

  #parallel({ join, afterMs, concurrency, parts }: Program & { kind: 'parallel' }, at: string): Part {
    const joins = {
      all,
      first,
      quorum: () => quorum({ count: Math.max(1, parts.length - 1) }),
      partial: () => partial({ after: afterMs }),
      best: () => best(() => 1),
    } satisfies Record<JoinKind, () => Join<JoinKind, unknown>>
    const branches = labelled('p', this.#all(parts, at))
    const name = this.#name(join, at)
    return parallel(branches, { name, description: DESCRIPTION, join: joins[join]() as Join<JoinKind, unknown>, concurrency })
  }

  #map({ item, count, concurrency, collects }: Program & { kind: 'map' }, at: string): Part {
    const inner = this.make(item, `${at}0`)
    const options = { name: this.#name('map', at), concurrency }
    const items: AgentTool<readonly string[], unknown> = collects
      ? map(inner, { ...options, onFailure: 'collect' })
      : map(inner, { ...options, onFailure: 'fail' })
    return ToolPipeline.builder()
      .name(this.#name('mapped', at))
      .description(DESCRIPTION)
      .step(this.#begin)
      .adapter((): readonly string[] => Array.from({ length: count }, () => this.#text))
      .step(items)
      .build()
  }

  #saga(steps: readonly SagaStepProgram[], at: string): Part {
    let builder = saga({ name: this.#name('saga', at), description: DESCRIPTION }) as unknown as SagaBuilder<string, string, object>
    for (const [index, { program, compensation, attempts, label = `s${index}` }] of steps.entries()) {
      const place = `${at}${index}`
      const step = this.make(program, place)
      const compensate = this.#compensate(compensation, place)
      if (typeof compensate === 'object' && compensation !== 'stuck') this.undoable.add(step.name)
      builder = builder.step(label as never, step, { input: () => this.#text, attempts, compensate }) as never
    }
    return builder.build({ output: () => this.#text })
  }

  #compensate(kind: CompensationKind, at: string): Compensate | undefined {
    if (kind === 'none') return undefined
    if (kind === 'irreversible') return kind
    const mode = kind === 'works' ? 'ok' : kind === 'flaky' ? 'flaky' : 'refused'
    const undo = this.#leaf({ kind: 'leaf', mode, ms: 2, effect: 'write', isKeyed: true }, 'undo', at)
    return { with: undo, class: 'reversible', input: () => this.#text }
  }

  /** A compound that does something first, and then calls what is inside. */
  #around(program: Program & { inner: Program }, at: string, before: (context: ToolContext) => Promise<unknown> | undefined): Part {
    const inner = this.make(program.inner, `${at}0`)
    const options = program.kind === 'deadline' ? { deadline: program.ms } : {}
    return compound({
      name: this.#name(program.kind, at),
      description: DESCRIPTION,
      parts: { inner },
      run: async (_input, context) => {
        await before(context)
        return context.call('inner', inner, this.#text, options)
      },
    })
  }

  #seq({ parts: programs, labels = [] }: Program & { kind: 'seq' }, at: string): Part {
    const parts = labelled('q', this.#all(programs, at), labels)
    return compound({
      name: this.#name('seq', at),
      description: DESCRIPTION,
      parts,
      run: async (_input, context) => {
        let last: unknown = this.#text
        for (const [label, part] of Object.entries(parts)) last = await context.call(label, part, this.#text)
        return last
      },
    })
  }

  #flows({ parts: programs, waitsFor }: Program & { kind: 'flows' }, at: string): Part {
    const parts = labelled('f', this.#all(programs, at))
    return compound({
      name: this.#name('flows', at),
      description: DESCRIPTION,
      parts,
      run: async (_input, context) => {
        const flows = Object.entries(parts).map(([label, part]) => context.call(label, part, this.#text))
        // Who comes first may be another one when the run is taken up: the first one that is declared is not.
        if (waitsFor === 'first') return flows[0]
        const results = await Promise.all(flows)
        return results.find(({ ok }) => !ok) ?? this.#text
      },
    })
  }
}

type Compensate =
  | 'irreversible'
  | {
      readonly with: Part
      readonly class: 'reversible'
      readonly input: () => string
    }

function labelled<T>(letter: string, list: readonly T[], labels: readonly string[] = []): Record<string, T> {
  return Object.fromEntries(list.map((each, index) => [labels[index] ?? `${letter}${index}`, each]))
}
