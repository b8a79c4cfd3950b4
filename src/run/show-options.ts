/** How a run is shown. */
export interface ShowOptions {
  /** Shows true values. Without it, secrets are masked: fields that are secret by name, or by the schema of a tool that is known here. */
  readonly includeSecrets?: boolean | undefined
}
