const names = /^(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME.*)$/u

/**
 * The variables by which libfaketime shifts the clock of a process. Tests that start a process with an environment of its
 * own pass them on: otherwise its clock differs from theirs. Empty when the clock is not shifted.
 */
export const shiftedClock = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value] as const] : []
    )
  )
