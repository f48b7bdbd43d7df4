const names = /^(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME.*)$/u

/**
 * Returns the variables with which libfaketime shifts the clock of a process; none if the clock is not shifted. A test
 * that starts a process with a new environment passes them on, because otherwise the clocks differ.
 */
export const shiftedClock = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value] as const] : []
    )
  )
