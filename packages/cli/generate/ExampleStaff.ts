import { type Demo, tenant, text } from "./ExampleDemo.ts"

/** Creates the users and teams of the tenant, and reads and changes one as its session. */
export const users = async ({ call, key }: Demo): Promise<void> => {
  const created = await call("users.create", {
    params: tenant,
    body: { name: "Ann Baker", email: "ann@larkspur.example", role: "agent" }
  })
  const ann = text(created["id"])
  const session = await call("sessions.mint", { body: { ...tenant, user_id: ann }, keep: false })
  const as = text(session["token"])
  await call("users.me", { params: tenant, as })
  const working_hours = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "16:30" }]
  await call("users.updateMe", { params: tenant, body: { working_hours, signature: "Ann from Larkspur Roofing" }, as })
  const user = { ...tenant, user_id: ann }
  await call("users.update", { params: user, body: { role: "manager" } })
  await call("users.get", { params: user, as: key })
  await call("users.list", { params: tenant, query: { active: "true", limit: "2" }, as: key })
  const team = await call("teams.create", { params: tenant, body: { name: "Repairs", member_ids: [ann] } })
  const repairs = { ...tenant, team_id: text(team["id"]) }
  await call("teams.get", { params: repairs, as: key })
  await call("teams.update", { params: repairs, body: { name: "Urgent repairs" } })
  await call("teams.list", { params: tenant, as: key })
  const left = await call("users.create", {
    params: tenant,
    body: { name: "Ben Ito", email: "ben@larkspur.example" },
    keep: false
  })
  await call("users.deactivate", { params: { ...tenant, user_id: text(left["id"]) } })
  await call("reports.get", { params: { ...tenant, name: "volume" }, query: { group_by: "channel" } })
  await call("teams.remove", { params: repairs })
}
