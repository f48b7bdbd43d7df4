import type { VariableEntry } from "./VariableEntry.ts"

/** The variables of the export of spans. OpenTelemetry defines their names. */
export const exportVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: "Server",
    default: null,
    text: "Base URL of an OpenTelemetry collector, for example `http://127.0.0.1:4318`. Spans are sent to `/v1/traces` below it. If unset, no spans are exported. See [traces](../how-to/traces.md)."
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    group: "Server",
    default: null,
    text: "Headers of exports, for example `authorization=Bearer%20token`. Comma-separated, with percent-encoded values."
  },
  OTEL_SERVICE_NAME: {
    group: "Server",
    default: "leadloom",
    text: "Name of this server in traces. It takes precedence over `service.name` in the attributes."
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    group: "Server",
    default: null,
    text: "Attributes of this server in traces, for example `deployment.environment.name=production`. Comma-separated, with percent-encoded values."
  }
} as const satisfies Readonly<Record<string, VariableEntry>>
