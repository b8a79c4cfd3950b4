import { buildProgram, type BuiltProgram } from '../programs/build-program.ts'
import { generateProgram } from '../programs/generate-program.ts'
import type { Program } from '../programs/program.ts'
import { RandomStream } from '../programs/random-stream.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import type { LedgerClient } from './ledger-client.ts'
import type { Shape } from './shape.ts'
import { shapesOf } from './shapes.ts'

/** A program of the shelf. */
export interface ShelvedProgram extends BuiltProgram {
  readonly program: Program
}

/** Every tool that is tortured, by name, the same in every process: all shapes, and programs that are made when somebody asks for them. */
export class ToolShelf extends Map<string, AgentTool> {
  readonly shapes: readonly Shape[]
  readonly #seed: number
  readonly #ledger: LedgerClient
  readonly #programs = new Map<number, ShelvedProgram>()

  constructor(seed: number, ledger: LedgerClient) {
    super()
    this.shapes = shapesOf(ledger)
    this.#seed = seed
    this.#ledger = ledger
    for (const { tool } of this.shapes) this.set(tool.name, tool as AgentTool)
  }

  /** The name of a program's tool begins with its number. */
  override get(name: string): AgentTool | undefined {
    const [, number] = /^p(\d+)_/.exec(name) ?? []
    return number === undefined ? super.get(name) : (this.program(Number(number)).tool as AgentTool)
  }

  /** The program with this number. */
  program(number: number): ShelvedProgram {
    let shelved = this.#programs.get(number)
    if (shelved === undefined) {
      const program = generateProgram(new RandomStream(this.#seed * 1009 + number * 7919), { leaves: 3 + (number % 9) })
      shelved = { program, ...buildProgram(program, { prefix: `p${number}_`, order: this.#ledger.placeOrder }) }
      this.#programs.set(number, shelved)
    }
    return shelved
  }
}
