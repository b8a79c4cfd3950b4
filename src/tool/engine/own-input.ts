import { copyOfPlain, privateCopy } from '../../schema/private-copy.ts'
import { reasonOf } from '../errors/message-of.ts'
import { ToolError } from '../errors/tool-error.ts'
import { MODEL_ARGUMENTS, ModelArguments } from '../input/arguments.ts'
import type { Call } from './call.ts'

/**
 * Whether a call must have an input that nobody else can change: the same value is then judged, shown, hashed, recorded and run. A schema
 * that makes new values gives one by itself, so the given input needs no copy unless somebody sees or judges it too.
 */
export function needsOwnInput({ behaviour, root, journal }: Call): boolean {
  if (root.observed || behaviour.approval !== undefined) return true
  if (root.options.policy !== undefined && behaviour.layer === undefined) return true
  if (behaviour.leaf && journal !== undefined) return true
  return behaviour.forwardsInput ? behaviour.keepsInput === true : !behaviour.input.isPrivate
}

/** Copies the given input, once on its way through all layers around a tool. Throws a ToolError if it cannot be copied. */
export function copyInput(call: Call): void {
  const { given } = call
  if (!canChange(given) || isOwned(call)) return
  try {
    call.given = copyOf(given)
  } catch (cause) {
    throw invalid(call.tool, `it cannot be read (${reasonOf(cause)})`, cause)
  }
}

/**
 * Most inputs are plain objects. The prototype is asked for right after a field is read: then the compiler knows the shape of the value, and
 * the question does not leave the compiled code.
 */
function copyOf(given: object): unknown {
  const isMarked = (given as Partial<ModelArguments>)[MODEL_ARGUMENTS]
  const prototype: unknown = Object.getPrototypeOf(given)
  if (isMarked === true) return copyOfArguments(given as ModelArguments)
  return prototype === Object.prototype && !Array.isArray(given) ? copyOfPlain(given) : privateCopy(given)
}

/** Remembers the input with which a tool begins, where a person may be asked about it in the middle of its work. */
export function keepAccepted(call: Call, input: unknown): void {
  if (call.root.options.review !== undefined || call.journal !== undefined) call.lazily.accepted = { input }
}

/** The input with which the tool has begun: validated, with its defaults. It is the one that a person must see. */
export function acceptedInput({ rare, given }: Call): unknown {
  return rare?.accepted === undefined ? given : rare.accepted.input
}

/** To wait for the admission of a promise would replace it by its value, which nobody has judged. */
export function refusePromise(call: Call): void {
  if (isThenable(call.given)) throw invalid(call.tool, 'it is a promise. Wait for its value and pass that')
}

/** The caller is a layer that owns its input, gives it to this part only, and does not use it any more. */
function isOwned(call: Call): boolean {
  const { parent, given } = call
  if (parent === undefined || parent.behaviour.passesOn !== true || parent.given !== given || parent.children?.[0] !== call) return false
  return needsOwnInput(parent) || isOwned(parent)
}

/**
 * The input that the layer around this call has validated by the same schema, and that was approved. It is taken once: the tool may change it
 * while it runs, and its record, its observers and another attempt have the given input.
 */
export function takePassedOn({ parent, behaviour }: Call): { readonly input: unknown } | undefined {
  const passed = parent?.rare?.passedOn
  if (parent === undefined || passed === undefined || parent.behaviour.input !== behaviour.input) return undefined
  parent.lazily.passedOn = undefined
  return passed
}

function canChange(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function copyOfArguments(given: ModelArguments): ModelArguments {
  return given.text === undefined ? ModelArguments.ofValue(privateCopy(given.value), given.decoder) : given
}

function isThenable(value: unknown): boolean {
  try {
    return canChange(value) && typeof (value as { readonly then?: unknown }).then === 'function'
  } catch {
    return true
  }
}

function invalid(tool: string, why: string, cause?: unknown): ToolError {
  return new ToolError(`Invalid input for tool '${tool}': ${why}.`, {
    code: 'invalid_input',
    outcome: 'not_started',
    ...(cause === undefined ? {} : { cause }),
  })
}
