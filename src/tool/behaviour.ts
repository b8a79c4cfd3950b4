import { type AgentTool, isTool } from './agent-tool.ts'
import type { Call } from './engine/call.ts'
import type { Contract } from './contract.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { ToolError } from './errors/tool-error.ts'
import type { InputPort } from './input/input-port.ts'
import { leafPlan, type PlanNode } from './plan-node.ts'
import { ReturnedFailure, success } from './result/returned.ts'
import type { OnTimeout, Risk } from './review.ts'
import type { Service } from './service.ts'

/** Whether and how a person is asked before a call. */
export interface ApprovalRule {
  /** Judges the validated input. */
  readonly needed: (input: unknown) => boolean
  readonly why?: string | ((input: unknown) => string) | undefined
  readonly risk?: Risk | undefined
  readonly timeoutMs?: number | undefined
  readonly onTimeout?: OnTimeout | undefined
}

/** What a tool answers for itself, so that the door never asks what kind of tool it holds. */
export interface Behaviour {
  readonly plan: PlanNode
  /** One step in a journal: what happens inside is not recorded by itself. */
  readonly leaf: boolean
  /** The combinator's name, when its events are not those of a second call. */
  readonly layer: string | undefined
  readonly input: InputPort
  /** The input goes to a part as it came, which validates it; here it is validated only where somebody judges it. */
  readonly forwardsInput: boolean
  readonly output: Contract | undefined
  /** The schema of an output that a part has checked already. */
  readonly describesOutput?: Contract | undefined
  readonly approval: ApprovalRule | undefined
  readonly services: Readonly<Record<string, Service<unknown>>> | undefined
  readonly deadlineMs: number | undefined
  /** It has a scope of its own: what still runs in it when it has ended can be cancelled by itself. */
  readonly ownScope?: boolean | undefined
  /** The tools that a compound may call; undefined for a leaf, which may call any. */
  readonly parts: ReadonlySet<unknown> | undefined
  readonly run: (input: unknown, call: Call) => unknown
  /**
   * A leaf that asks for nothing but a valid input: no approval, service or permission. The door has a short way for it. Set when the tool is
   * built; without it a call goes the long way.
   */
  readonly isPlain?: boolean | undefined
}

/** Whether the short way through the door is open to a tool. */
export function isPlainTool(permissions: readonly string[], behaviour: Omit<Behaviour, 'isPlain'>): boolean {
  const { leaf, layer, forwardsInput, approval, services } = behaviour
  return leaf && layer === undefined && !forwardsInput && approval === undefined && services === undefined && permissions.length === 0
}

const behaviours = new WeakMap<object, Behaviour>()

/** Kept beside the tool and not on it, so that no function of an author can be reached around the door. */
export function giveBehaviour(tool: object, behaviour: Behaviour): void {
  behaviours.set(tool, behaviour)
}

/** Every tool passes here before anything is read off it. `role` says where it stands: `Step 2 of the pipeline`. */
export function behaviourOf(tool: AgentTool, role?: string): Behaviour {
  const behaviour = behaviours.get(tool)
  if (behaviour !== undefined) return behaviour
  if (!isTool(tool)) throw notATool(tool, role)
  const adopted = behaviourOfOtherCopy(tool)
  behaviours.set(tool, adopted)
  return adopted
}

/** A tool made by another copy of this package: called through its own door, with what can be handed over. */
function behaviourOfOtherCopy(tool: AgentTool): Behaviour {
  return {
    plan: leafPlan({ figures: () => tool.estimates }),
    leaf: true,
    layer: undefined,
    input: {
      parameters: tool.specification.parameters,
      schema: tool.specification.parameters,
      parsed: tool.specification.parameters,
      // Read by the other copy, which knows the shape.
      unwrap: (given) => given,
      accept: (input) => input,
    },
    forwardsInput: true,
    output: undefined,
    approval: undefined,
    services: undefined,
    deadlineMs: undefined,
    parts: undefined,
    run: async (input, call) => {
      const { on: _on, journal: _journal, deadline: _deadline, clock: _clock, ...shared } = call.root.options
      const result = await tool.call(input as never, { ...shared, deadline: call.remainingMs, signal: call.signal })
      return result.ok ? success(result.value, result) : new ReturnedFailure(new ToolError(result.error.message, result.error))
    },
  }
}

function notATool(value: unknown, role: string | undefined): ConfigurationError {
  const found = describeValue(value)
  const wrong = role === undefined ? `Not a tool: ${found}` : `${role} is not a tool: it is ${found}`
  return new ConfigurationError('not_a_tool', `${wrong}. Make one with tool({ ... }), or pass it through resolve.`)
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? `an object of type '${value.constructor?.name ?? 'Object'}'` : `a ${typeof value}`
}
