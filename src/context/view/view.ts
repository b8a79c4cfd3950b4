import type { Table } from './table.ts'

export type Shape =
  | 'json'
  | 'ndjson'
  | 'table'
  | 'log'
  | 'trace'
  | 'diff'
  | 'html'
  | 'xml'
  | 'mail'
  | 'chat'
  | 'markdown'
  | 'prose'
  | 'mixed'
  | 'blob'

/** A sentence or a line of running text. */
export interface Sentence {
  readonly text: string
  /** Its line in the output, from 1. */
  readonly line: number
  /** Where it stands: a heading, a file, a sender, the label of a record. */
  readonly place?: string | undefined
  /** Less than 1 for one of many like it. */
  readonly weight?: number | undefined
}

/** Binary data in a text, by its number in the text that shows it. */
export interface Blob {
  readonly number: number
  readonly mediaType: string
  readonly bytes: number
  /** `640x480`, where the data say so. */
  readonly dimensions?: string | undefined
  /** What it says, where it is text. */
  readonly text?: string | undefined
  /** It is read where it stands. */
  readonly isInline?: boolean | undefined
  /** The name of the file, where one is told before it. */
  readonly name?: string | undefined
  /** Where its characters begin in the output. */
  readonly at: number
  readonly length: number
}

/** An output as outlines, facts and readers see it: everything that repeats is a table. Made once for each output. */
export interface OutputView {
  readonly shape: Shape
  /** The output as text, every character. */
  readonly text: string
  readonly lines: readonly string[]
  readonly tables: readonly Table[]
  /** Single values outside of tables, by their paths. */
  readonly scalars: readonly (readonly [path: string, value: unknown])[]
  readonly sentences: readonly Sentence[]
  readonly headings: readonly Sentence[]
  /** What a line belongs to, where that is no heading: the path of a setting, a function. From each of these lines on. */
  readonly marks?: readonly Sentence[] | undefined
  readonly blobs: readonly Blob[]
  /** What a path reads: the value itself, or lines, tables and sections of a text. */
  readonly document: unknown
  /** What a reader of the outline must know: repeated keys, a text that was cut off. */
  readonly notes: readonly string[]
}

/** What a reader of a shape finds; the rest of a view is empty. */
export type FoundView = Pick<OutputView, 'shape'> & Partial<Omit<OutputView, 'text' | 'lines' | 'blobs'>>
