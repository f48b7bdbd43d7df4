import { type Demo, tenant, text, until } from "./ExampleDemo.ts"

/** Defines custom fields, and manages companies and segments. */
export const records = async (demo: Demo): Promise<void> => {
  const { call, contact, key } = demo
  const field = await call("fields.create", {
    params: tenant,
    body: { key: "roof_type", label: "Type of roof", type: "select", options: ["flat", "gable"] }
  })
  const roofType = { ...tenant, field_id: text(field["id"]) }
  await call("fields.update", { params: roofType, body: { options: ["flat", "gable", "hip"] } })
  await call("fields.get", { params: roofType, as: key })
  await call("fields.list", { params: tenant, query: { entity: "contact" }, as: key })
  const company = await call("companies.create", {
    params: tenant,
    body: { name: "Nair Dental", domain: "nair-dental.example", notes: "Two practices" },
    as: key
  })
  const dental = { ...tenant, company_id: text(company["id"]) }
  await call("companies.update", { params: dental, body: { notes: "Three practices" }, as: key })
  await call("companies.get", { params: dental, as: key })
  await call("companies.list", { params: tenant, query: { query: "nair" }, as: key })
  const linked = { company_id: dental.company_id, custom_fields: { roof_type: "flat" } }
  await call("contacts.update", { params: contact, body: linked, as: key, keep: false })
  await call("companies.contacts", { params: dental, query: { limit: "2" }, as: key })
  const segment = await call("segments.create", {
    params: tenant,
    body: { name: "Roof repairs", filters: { tag: "roof-repair", has_phone: true } },
    as: key
  })
  const repairs = { ...tenant, segment_id: text(segment["id"]) }
  await call("segments.update", { params: repairs, body: { name: "Repairs of roofs" }, as: key })
  await call("segments.get", { params: repairs, as: key })
  await call("segments.list", { params: tenant, as: key })
  await call("segments.contacts", { params: repairs, query: { limit: "2" }, as: key })
  await call("segments.remove", { params: repairs, as: key })
  await imports(demo)
  await call("contacts.update", { params: contact, body: { company_id: null }, as: key, keep: false })
  await call("companies.remove", { params: dental, as: key })
  await call("fields.remove", { params: roofType })
}

const csv = [
  "Name,Email,Phone,Roof",
  "Olga Petrov,olga.petrov@example.net,+12025550181,gable",
  "Sam Hill,sam.hill@example.net,,thatched"
].join("\n")

/** Imports contacts and undoes the import. */
const imports = async ({ call }: Demo): Promise<void> => {
  const mapping = { Name: "name", Email: "email", Phone: "phone", Roof: "custom_fields.roof_type" }
  const started = await call("contactImports.start", {
    params: tenant,
    body: { csv, mapping, on_conflict: "update" }
  })
  const file = { ...tenant, import_id: text(started["id"]) }
  const isIn =
    (state: string) =>
    ({ status }: Record<string, unknown>): boolean =>
      status === state
  await until(() => call("contactImports.get", { params: file }), isIn("done"))
  await call("contactImports.list", { params: tenant })
  await call("contactImports.undo", { params: file })
  await until(() => call("contactImports.get", { params: file, keep: false }), isIn("undone"))
}

/** Manages the addresses, numbers and consents of a contact. */
export const identities = async ({ call, key, other }: Demo): Promise<void> => {
  const added = await call("contactIdentities.add", {
    params: other,
    body: { kind: "email", value: "priya@nair-dental.example", label: "work" },
    as: key
  })
  const work = { ...other, identity_id: text(added["id"]) }
  await call("contactIdentities.update", { params: work, body: { label: "practice", verified: true }, as: key })
  await call("contactIdentities.list", { params: other, as: key })
  const consent = { identity_id: work.identity_id, source: "form", proof: "Newsletter form of 2 March" }
  await call("contactConsent.record", {
    params: other,
    body: { identity_id: work.identity_id, status: "opted_out" },
    as: key,
    keep: false
  })
  await call("contactConsent.record", { params: other, body: { ...consent, status: "opted_in" }, as: key })
  await call("contactConsent.get", { params: other, as: key })
  await call("contactIdentities.remove", { params: work, as: key })
}
