import { tool } from '../../src/tool/tool.ts'

/** What a program without types may give, and how it is refused. */
export interface WrongArguments {
  /** Places for a tool. What is none is refused there, and `role` names the place. */
  readonly tools: readonly { readonly what: string; readonly make: (wrong: unknown) => unknown; readonly role: string }[]
  /** Places for a name. */
  readonly names?: readonly { readonly what: string; readonly make: (wrong: unknown) => unknown }[]
  readonly others: readonly { readonly what: string; readonly make: () => unknown; readonly code: string; readonly says: string }[]
}

type Untyped = (...given: readonly unknown[]) => unknown

/** A function as a program without types calls it. */
export function untyped(called: unknown): Untyped {
  return called as Untyped
}

/** A tool with which nothing is wrong. */
export const fine = tool({ name: 'ok', description: 'Says it again.', effect: 'read', execute: (text) => text })

export const WHOLE = { name: 'whole', description: 'A whole.' }

export const yes = (): boolean => true
