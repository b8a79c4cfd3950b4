/** The project that a template is written for. */
export interface NewProject {
  /** As in package.json. */
  readonly name: string
  /** Where it is written: an absolute path, for the settings of MCP clients. */
  readonly folder: string
  /** The project brings a Node of its own, since that of the machine is too old. */
  readonly bringsNode: boolean
}

/** A kind of project that `toolwright init` writes. */
export interface Template {
  /** What it is, in one line, for the person who chooses. */
  readonly summary: string
  /** The packages beside toolwright and zod, with the versions that are tested. */
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** The scripts beside `start`, `test`, `check` and `types`. */
  readonly scripts: Readonly<Record<string, string>>
  /** The files beside those that all templates share, by path. */
  readonly files: (project: NewProject) => Readonly<Record<string, string>>
  /** The part of the README that says what `npm start` shows, and what to try then. */
  readonly readme: (project: NewProject) => string
}
