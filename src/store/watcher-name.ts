/** The name under which the watcher of an idle server connects. */
export const WATCHER = 'toolwright watcher'
