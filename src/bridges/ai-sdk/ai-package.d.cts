import type * as Ai from 'ai' with { 'resolution-mode': 'import' }

declare const load: () => typeof Ai
export = load
