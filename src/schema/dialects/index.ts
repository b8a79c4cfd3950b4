/** Schemas as vendors want them: `toolwright/dialects`. */
export { allotStrict, type Allotted, type OfferedTool } from './allot-strict.ts'
export { NoEncoding, Refused } from './codec.ts'
export type { DialectCost, LostPart, MovedRule, NarrowedPart } from './building.ts'
export { type DecodedValue, type Dialect, dialect, type DialectOptions } from './dialect.ts'
export type { DialectLimits, DialectRules, DialectTarget } from './dialect-rules.ts'
export { dialectText } from './dialect-text.ts'
