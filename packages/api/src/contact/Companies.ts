import { Company as CompanyNoun } from "@leadloom/core/internal/domain/company/Company"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { CustomFieldChanges } from "../schema/ContactRecord.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { EnrichedPage } from "./ContactViews.ts"

export const { schema: Company, toJson: companyToJson } = wire(CompanyNoun, "Company", {
  description: "A business for which contacts work",
  id: "companyId",
  omit: ["tenantId"]
})

const { name, notes } = CompanyNoun.fields

const changes = {
  domain: Schema.optionalKey(Schema.NullOr(text(253))).annotate({
    description:
      "The domain of its email addresses. A contact is linked to the company when it gets such an address; a job links existing contacts, usually within seconds. A contact that has a company, or that a person removed from one, stays as it is. Public mail hosts are rejected (400)"
  }),
  notes: Schema.optionalKey(notes),
  custom_fields: Schema.optionalKey(CustomFieldChanges).pipe(
    Schema.annotateKey({ description: "The custom fields to change, by key. Absent fields stay; null removes a value" })
  )
}

export const CreateCompany = Schema.Struct({ name, ...changes }).annotate({
  identifier: "CreateCompany",
  description: "A new company"
})

export const UpdateCompany = Schema.Struct({ name: Schema.optionalKey(name), ...changes }).annotate({
  identifier: "UpdateCompany",
  description: "The properties to change. Absent properties stay; null removes a value"
})

const CompanyPath = { ...TenantPath, company_id: Schema.String.annotate({ description: "Company id (`cmp_…`)" }) }
const path = "/tenants/:tenant_id/companies"

/** The companies of a tenant. */
export const CompaniesGroup = HttpApiGroup.make("companies")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: TenantPath,
      query: {
        query: Schema.optionalKey(text(200)).annotate({
          description: "Only companies whose name starts with this text; the case of A to Z is ignored"
        }),
        cursor,
        limit: pageSize(100, 50)
      },
      success: Schema.Struct({
        companies: Schema.Array(Company).annotate({ description: "The companies, by name" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "CompanyPage", description: "A page of companies" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List companies by name")
      .annotate(OpenApi.Description, "Names that differ only in the case of A to Z are equal in the order.")
      .annotate(Gate, gate("companies.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", path, {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateCompany,
      success: Company.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a company")
      .annotate(OpenApi.Description, "A company with the same domain is a conflict (409).")
      .annotate(Gate, gate("companies.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", `${path}/:company_id`, { params: CompanyPath, success: Company, error: NotFound })
      .annotate(OpenApi.Summary, "Read a company")
      .annotate(OpenApi.Description, "Its contacts are a list of their own.")
      .annotate(Gate, gate("companies.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", `${path}/:company_id`, {
      params: CompanyPath,
      payload: UpdateCompany,
      success: Company,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change the given properties of a company")
      .annotate(OpenApi.Description, "A changed domain does not change the contacts of the company.")
      .annotate(Gate, gate("companies.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", `${path}/:company_id`, {
      params: CompanyPath,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Delete a company without contacts")
      .annotate(OpenApi.Description, "If contacts belong to the company, the status is 409.")
      .annotate(Gate, gate("companies.remove", { limiter: "admin" })),
    HttpApiEndpoint.get("contacts", `${path}/:company_id/contacts`, {
      params: CompanyPath,
      query: { cursor, limit: pageSize(100, 50) },
      success: EnrichedPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the contacts of a company, latest activity first")
      .annotate(OpenApi.Description, "Archived contacts are not listed.")
      .annotate(Gate, gate("companies.contacts", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Companies", description: "Businesses for which contacts work" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
