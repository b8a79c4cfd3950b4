import type { DeepReadonly, Plain } from './adapted.ts'

/** The names of the fields of `Takes` that `Gives` does not have, or has with values that do not fit; `never` if both are not records. */
export type WrongFields<Gives, Takes> = [AreRecords<Gives, Takes>] extends [true]
  ? {
      [K in keyof Takes]-?: K extends keyof Gives
        ? [Gives[K]] extends [DeepReadonly<Takes[K]>]
          ? never
          : K
        : Partial<Pick<Takes, K>> extends Pick<Takes, K>
          ? never
          : K
    }[keyof Takes]
  : never

/** The part of `T`, one of the two, that has these fields, so that the compiler shows no others; all of it if both are not records. */
export type WrongPart<T, Gives, Takes> = Part<T, WrongFields<Gives, Takes>>

type Part<T, K> = [K] extends [never] ? T : { [P in keyof T as P extends K ? P : never]: T[P] }

type AreRecords<A, B> = [A] extends [Plain | readonly unknown[]] ? false : [B] extends [Plain | readonly unknown[]] ? false : true
