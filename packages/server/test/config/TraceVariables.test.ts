import { expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const traces = (env: Environment) => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : config.traces
}

it("the collector and the resource are read from the variables of OpenTelemetry", () => {
  expect(traces({ OTEL_SERVICE_NAME: "leads" })).toBeNull()
  const OTEL_EXPORTER_OTLP_ENDPOINT = "https://collector.example.com:4318/"
  expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
    url: "https://collector.example.com:4318/v1/traces",
    headers: {},
    serviceName: "leadloom",
    attributes: {}
  })
  expect(
    traces({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20a%2Cb, x-key = 1=2 ",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=leads,deployment.environment.name=eu%20west"
    })
  ).toMatchObject({
    headers: { authorization: "Bearer a,b", "x-key": "1=2" },
    serviceName: "leads",
    attributes: { "deployment.environment.name": "eu west" }
  })
})

it("mistakes are reported without the value", () => {
  const mistakes = traces({
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "secret%zz",
    OTEL_RESOURCE_ATTRIBUTES: "=a-value"
  })
  expect(mistakes).toEqual([
    expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS must have the form/u),
    expect.stringMatching(/^OTEL_RESOURCE_ATTRIBUTES must have the form/u),
    expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must have the form/u)
  ])
  expect(String(mistakes)).not.toMatch(/secret|a-value/u)
  expect(traces({ OTEL_EXPORTER_OTLP_HEADERS: "a b=c" })).toEqual([
    expect.stringContaining("OTEL_EXPORTER_OTLP_HEADERS")
  ])
})
