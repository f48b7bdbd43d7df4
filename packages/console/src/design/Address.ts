/** Returns the parameters of an address that have a text, as far as they are among the given names. */
export const textParameters = (
  search: Readonly<Record<string, unknown>>,
  names: ReadonlyArray<string>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : []))
  )
