import { tool } from '../../src/tool/tool.ts'

/** What a program without types may give, and how it is refused. */
export interface WrongArguments {
  /** Places for a tool. What is none is refused there, and `role` names the place. */
  readonly tools: readonly { readonly what: string; readonly make: (wrong: unknown) => unknown; readonly role: string }[]
  /** Places for a name. */
  readonly names?: readonly { readonly what: string; readonly make: (wrong: unknown) => unknown }[]
  readonly others: readonly { readonly what: string; readonly make: () => unknown; readonly code: string; readonly says: string }[]
  /** Options with a misspelt one among them, by the places of `optionPlaces`: every place in the declarations of the combinator. */
  readonly misspelt?: Readonly<Record<string, Misspeller>>
}

/** A program without types: it passes the options with a misspelt one among them. */
export type Misspeller = (odd: object) => unknown

type Untyped = (...given: readonly unknown[]) => unknown

/** A function as a program without types calls it. */
export function untyped(called: unknown): Untyped {
  return called as Untyped
}

/** A tool with which nothing is wrong. */
export const fine = tool({ name: 'ok', description: 'Says it again.', effect: 'read', execute: (text) => text })

export const WHOLE = { name: 'whole', description: 'A whole.' }

export const yes = (): boolean => true

/** The misspelt option is among the estimates. */
export function estimated(make: Misspeller): Misspeller {
  return (odd) => make({ estimates: odd })
}
