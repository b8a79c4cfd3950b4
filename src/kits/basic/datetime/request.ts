import type { Unit } from './units.ts'

/** A zone as it was written, and where. */
export interface ZoneName {
  readonly name: string
  readonly at: number
}

/** What a request begins with. */
export type Start =
  | { readonly kind: 'now' }
  | { readonly kind: 'date'; readonly iso: string }
  /** `iso` is a wall time, without offset. */
  | { readonly kind: 'datetime'; readonly iso: string; readonly offset: string | undefined; readonly zone: ZoneName | undefined }
  /** So many days from today, or the next (1) or last (-1) day with this number in the week. */
  | { readonly kind: 'day'; readonly day: Day; readonly time: string | undefined; readonly zone: ZoneName | undefined }

export type Day =
  | { readonly kind: 'relative'; readonly days: number }
  | { readonly kind: 'weekday'; readonly number: number; readonly direction: 1 | -1 }

/** What happens to it, from left to right. */
export type Step =
  | { readonly kind: 'add'; readonly count: number; readonly unit: Unit; readonly at: number }
  | { readonly kind: 'convert'; readonly zone: ZoneName; readonly at: number }

export interface MomentRequest {
  readonly start: Start
  readonly steps: readonly Step[]
  readonly at: number
}

/** What the text asks for. */
export type Request =
  | { readonly kind: 'moment'; readonly moment: MomentRequest }
  | { readonly kind: 'weekday'; readonly moment: MomentRequest }
  | { readonly kind: 'difference'; readonly from: MomentRequest; readonly to: MomentRequest; readonly unit: Unit | undefined }
