import { describe, expect, it } from "vitest"
import { begin, beginModel, forgetBacklogs, makeMeter } from "../../src/metrics/Meter.ts"
import { readMetrics } from "../world/MetricsText.ts"

describe("a meter", () => {
  it("counts for one server, even if two run in one process", () => {
    const [one, other] = [makeMeter(), makeMeter()]
    one.runs({ outcome: "done" })
    other.runs({ outcome: "done" }, 5)
    const read = (meter: typeof one) =>
      readMetrics(meter.families.text()).value("leadloom_pipeline_runs_total", { outcome: "done" })
    expect([read(one), read(other)]).toEqual([1, 5])
  })

  it("starts with 0 for series with known labels, so that the first event is an increase", () => {
    const meter = makeMeter()
    begin(meter, "sqlite")
    beginModel(meter)
    const page = readMetrics(meter.families.text())
    expect(page.value("leadloom_messages_total", { channel: "sms", outcome: "bounce" })).toBe(0)
    expect(page.value("leadloom_model_requests_total", { purpose: "reply", outcome: "failed" })).toBe(0)
  })

  it("removes gauges without a known value, and restores them", () => {
    const meter = makeMeter()
    const due = () => readMetrics(meter.families.text()).value("leadloom_backlog_due", { queue: "sends" })
    meter.storeUp({}, 1)
    meter.due({ queue: "sends" }, 7)
    expect(due()).toBe(7)
    forgetBacklogs(meter)
    expect(due()).toBeNull()
    meter.due({ queue: "sends" }, 3)
    expect(due()).toBe(3)
  })

  it("counts a duration in the bucket of its boundary, with sum and count", () => {
    const meter = makeMeter()
    for (const seconds of [0.004, 0.005, 0.2, 45]) meter.requestSeconds({ operation: "system.health" }, seconds)
    const page = readMetrics(meter.families.text())
    const below = (le: string) => page.value("leadloom_http_request_duration_seconds_bucket", { le })
    expect([below("0.005"), below("0.25"), below("30"), below("+Inf")]).toEqual([2, 3, 3, 4])
    expect(page.value("leadloom_http_request_duration_seconds_sum")).toBeCloseTo(45.209)
  })
})
