import { isHttpUrl, type Variables } from "./Variables.ts"
import type { VariableName } from "./VariableCatalog.ts"

/** The collector to which this server exports spans, and the attributes that describe the server. */
export interface TraceExport {
  /** The URL that receives spans. */
  readonly url: string
  /** Headers of each export. They usually contain a credential. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Attributes of the server, for example `deployment.environment.name`. */
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Reads a list like `name=value,other=value` with percent-encoded values. The message about a mistake never contains a
 * value.
 */
const readPairs = ({ text, wrong }: Variables, name: VariableName): Readonly<Record<string, string>> => {
  const pairs: Record<string, string> = {}
  for (const part of (text(name) ?? "").split(",")) {
    const [, key = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/u.exec(part) ?? []
    if (part.trim() === "") continue
    try {
      if (key === "") throw new URIError("no key")
      pairs[decodeURIComponent(key)] = decodeURIComponent(value.trim())
    } catch {
      return wrong(name, "must have the form name=value,name=value with percent-encoded values.", {})
    }
  }
  return pairs
}

const headersIn = (variables: Variables): Readonly<Record<string, string>> => {
  const name = "OTEL_EXPORTER_OTLP_HEADERS"
  const headers = readPairs(variables, name)
  try {
    return Object.fromEntries(new Headers(headers))
  } catch {
    return variables.wrong(name, "contains characters that are invalid in a header.", {})
  }
}

/** Reads the collector of spans from the standard variables of OpenTelemetry; null if no spans are exported. */
export const readTraces = (variables: Variables): TraceExport | null => {
  const { text, wrong } = variables
  const endpoint = text("OTEL_EXPORTER_OTLP_ENDPOINT")
  const headers = headersIn(variables)
  const { "service.name": named, ...attributes } = readPairs(variables, "OTEL_RESOURCE_ATTRIBUTES")
  if (endpoint === null) return null
  if (!isHttpUrl(endpoint)) {
    return wrong("OTEL_EXPORTER_OTLP_ENDPOINT", "must have the form https://collector.example.com:4318.", null)
  }
  return {
    url: `${endpoint.replace(/(?<!\/)\/+$/u, "")}/v1/traces`,
    headers,
    serviceName: text("OTEL_SERVICE_NAME") ?? named ?? "leadloom",
    attributes
  }
}
