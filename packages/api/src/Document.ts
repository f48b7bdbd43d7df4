/** The pattern under which a number in a path or query is described. */
const numeric = "^[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[Ee][+-]?\\d+)?$"

interface Parameter {
  schema?: { pattern?: string; enum?: ReadonlyArray<unknown> }
}

const isParameterList = (value: unknown): value is Array<Parameter> => Array.isArray(value)

/** Path and query parameters are described by their string encoding; this says what they mean instead. */
export const documentParameters = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths = Object.values((spec["paths"] ?? {}) as Record<string, Record<string, Record<string, unknown>>>)
  for (const path of paths) {
    for (const operation of Object.values(path)) {
      const parameters = operation["parameters"]
      if (!isParameterList(parameters)) continue
      for (const parameter of parameters) {
        if (parameter.schema?.pattern === numeric) Object.assign(parameter, { schema: { type: "integer" } })
        if (JSON.stringify(parameter.schema?.enum) === '["true","false"]') {
          Object.assign(parameter, { schema: { type: "boolean" } })
        }
      }
    }
  }
  return spec
}

interface Body {
  required?: boolean
  content?: Record<string, { schema?: { anyOf?: ReadonlyArray<{ type?: string }> } }>
}

const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null

/** A body that may be null may be left out: it is described as such, and by what it is when it is there. */
export const documentBodies = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths = Object.values((spec["paths"] ?? {}) as Record<string, Record<string, Record<string, unknown>>>)
  for (const operation of paths.flatMap((path) => Object.values(path))) {
    const body = operation["requestBody"]
    if (!isBody(body)) continue
    for (const media of Object.values(body.content ?? {})) {
      const schemas = media.schema?.anyOf ?? []
      const others = schemas.filter(({ type }) => type !== "null")
      if (others.length === schemas.length || others[0] === undefined) continue
      Object.assign(body, { required: false })
      Object.assign(media, { schema: others.length === 1 ? others[0] : { anyOf: others } })
    }
  }
  return spec
}
