import { expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const metrics = (env: Environment) => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : config.metrics
}

it("the metrics address is read from the environment and defaults to this machine", () => {
  expect(metrics({ LEADLOOM_METRICS_PORT: "9464" })).toEqual({ host: "127.0.0.1", port: 9464 })
  expect(metrics({ LEADLOOM_METRICS_PORT: "9464", LEADLOOM_METRICS_HOST: "10.0.0.7" })).toEqual({
    host: "10.0.0.7",
    port: 9464
  })
  expect(metrics({ LEADLOOM_METRICS_HOST: "10.0.0.7" })).toBeNull()
})

it("the metrics port must differ from the main port; 0 picks a free one", () => {
  expect(metrics({ LEADLOOM_METRICS_PORT: "4800" })).toEqual([
    "LEADLOOM_METRICS_PORT must differ from LEADLOOM_PORT, which is 4800."
  ])
  expect(metrics({ LEADLOOM_METRICS_PORT: "0", LEADLOOM_PORT: "0" })).toEqual({ host: "127.0.0.1", port: 0 })
  expect(metrics({ LEADLOOM_METRICS_PORT: "metrics" })).toEqual([expect.stringContaining("LEADLOOM_METRICS_PORT")])
})
