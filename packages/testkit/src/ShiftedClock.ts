const names = /^(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|FAKETIME.*)$/u

/**
 * Returns the variables with which libfaketime shifts the clock of a process; none if the clock is not shifted. A test
 * that starts a process with a new environment must pass them on, so that both processes have the same clock.
 */
export const shiftedClock = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value] as const] : []
    )
  )
