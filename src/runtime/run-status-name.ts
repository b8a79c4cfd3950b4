/** The name of the tool that tells of a run. */
export const RUN_STATUS = 'run_status'
