import { Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { operationsOf } from "./DocumentTransport.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  description?: string
  schema: Record<string, unknown>
}

/** The type of a parameter, and its description. */
interface Described {
  readonly description: string | undefined
  readonly schema: Record<string, unknown>
}

/** Returns the JSON schema of a value after decoding, because the document states numbers and booleans as such. */
const typeSchemaOf = (ast: SchemaAST.AST): Record<string, unknown> => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.make<Schema.Top>(ast))
  return { ...schema }
}

const isBooleanText = ({ enum: values }: Record<string, unknown>): boolean =>
  JSON.stringify(values) === '["true","false"]'

/** Reads the parameters of every endpoint from the contract, by operation, place and name. */
const describedParameters = <Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<"leadloom", Groups>
): ReadonlyMap<string, Described> => {
  const found = new Map<string, Described>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const { headers, params, query } = endpoint
      for (const [place, schema] of Object.entries({ path: params, query, header: headers })) {
        const ast = schema === undefined ? undefined : SchemaAST.toType(schema.ast)
        if (ast === undefined || !SchemaAST.isObjects(ast)) continue
        for (const { name, type } of ast.propertySignatures) {
          const { description, ...rest } = typeSchemaOf(type)
          found.set(`${group.identifier}.${endpoint.identifier} ${place} ${String(name)}`, {
            description: typeof description === "string" ? description : undefined,
            schema: rest
          })
        }
      }
    }
  })
  return found
}

/**
 * Completes path, query and header parameters. The framework describes the encoded text of a parameter, which has
 * neither the type nor the description of the decoded value. Readers of documents show `parameter.description` only.
 */
export const documentParameters =
  <Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<"leadloom", Groups>) =>
  (spec: Record<string, unknown>): Record<string, unknown> => {
    const described = describedParameters(api)
    for (const [, operation] of operationsOf(spec)) {
      for (const parameter of (operation.parameters ?? []) as ReadonlyArray<Parameter>) {
        const found = described.get(`${operation.operationId} ${parameter.in} ${parameter.name}`)
        if (found === undefined) continue
        if (found.description !== undefined) parameter.description = found.description
        const { type } = found.schema
        if (isBooleanText(found.schema)) parameter.schema = { type: "boolean" }
        else if (type === "integer" || type === "number") parameter.schema = found.schema
        delete parameter.schema["description"]
      }
    }
    return spec
  }
