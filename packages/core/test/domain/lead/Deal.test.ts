import { checkLossReason, defaultDealSettings, noDeal, withState } from "@leadloom/core/internal/domain/lead/Deal"
import { beginLead, type Lead } from "@leadloom/core/internal/domain/lead/Lead"
import {
  findStage,
  placeOf,
  type SalesPipeline,
  withDefaultPipeline
} from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { joinDeals } from "@leadloom/core/internal/domain/lead/SetDeal"
import { describe, expect, it } from "vitest"

const begun = beginLead(
  {
    leadId: "lead_1",
    tenantId: "acme",
    contactId: "con_1",
    threadId: null,
    channel: "sms",
    source: "twilio",
    subject: null,
    lastMessageAt: 0
  },
  0
)
const leadWith = (changes: Partial<Lead>): Lead => ({ ...begun, ...changes })

const roofs: SalesPipeline = {
  pipelineId: "pip_roofs",
  tenantId: "acme",
  name: "Roofs",
  stages: [
    { stageId: "stg_new", name: "New", state: "open" },
    { stageId: "stg_visit", name: "Visit", state: "open" }
  ],
  createdAt: 0,
  updatedAt: 0
}

describe("the place of a lead", () => {
  const pipelines = withDefaultPipeline("acme", [roofs])
  const stageOf = (changes: Partial<Lead>) => placeOf(pipelines, leadWith(changes)).stage.stageId

  it("is the chosen stage, or the first one of its state", () => {
    expect(stageOf({})).toBe("stg_open")
    expect(stageOf({ pipelineId: "pip_roofs" })).toBe("stg_new")
    expect(stageOf({ pipelineId: "pip_roofs", stageId: "stg_visit" })).toBe("stg_visit")
  })

  it("falls back for a stage of another state, and for a pipeline or stage that the tenant lacks", () => {
    expect(stageOf({ pipelineId: "pip_roofs", stageId: "stg_visit", state: "won" })).toBe("stg_won")
    expect(stageOf({ pipelineId: "pip_elsewhere", stageId: "stg_elsewhere" })).toBe("stg_open")
  })

  it("is found by the id of the stage", () => {
    expect(findStage(pipelines, "stg_visit")?.pipeline.pipelineId).toBe("pip_roofs")
    expect(findStage(pipelines, "stg_elsewhere")).toBeNull()
  })
})

describe("a loss reason", () => {
  it("stays until the lead is reopened", () => {
    const lost = withState(leadWith({ state: "qualified", stageId: "stg_visit" }), "lost", "No answer")
    expect([lost.lossReason, lost.stageId]).toEqual(["No answer", null])
    expect(withState(lost, "archived").lossReason).toBe("No answer")
    expect(withState(lost, "open").lossReason).toBeNull()
  })

  it("belongs to lost leads only", () => {
    expect(checkLossReason(defaultDealSettings, "won", "No answer")?.reason).toMatch(/Only a lost lead/u)
    expect(checkLossReason(defaultDealSettings, "lost", null)).toBeNull()
  })
})

describe("a merge of leads", () => {
  it("keeps the fields of the first lead and adds those that it lacks", () => {
    const first = leadWith({ tags: ["vip"], customFields: { area: 80 } })
    const second = leadWith({ value: 5, currency: "EUR", tags: ["roof"], customFields: { area: 90, slope: 30 } })
    const third = leadWith({ value: 7, currency: "USD", expectedCloseOn: "2026-12-24" })
    expect(joinDeals(first, [second, third])).toEqual({
      ...first,
      ...noDeal,
      value: 5,
      currency: "EUR",
      expectedCloseOn: "2026-12-24",
      tags: ["vip", "roof"],
      customFields: { area: 80, slope: 30 }
    })
  })
})
