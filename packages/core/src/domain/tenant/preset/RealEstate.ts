import { defaultConfig } from "../TenantConfig.ts"
import { everyBusiness, everyGuardrail, isAbout, reply, type Scaffold, says, tag, task } from "./Scaffold.ts"

const portals = ["zillow.com", "realtor.com", "redfin.com", "trulia.com", "rightmove.co.uk", "immobilienscout24.de"]

const sellers = says(
  "sell my",
  "selling my",
  "list my",
  "valuation",
  "appraisal",
  "house worth",
  "home worth",
  "listing agent",
  "sell our",
  "selling our",
  "haus verkaufen",
  "wohnung verkaufen",
  "wertermittlung",
  "verkehrswert",
  "vendre notre",
  "vendre mon",
  "vendre ma",
  "estimation",
  "vender mi",
  "vender nuestra",
  "vender nuestro",
  "tasación",
  "tasaciones",
  "vendere la",
  "vendere il",
  "vendere casa",
  "valutazione",
  "valutazioni"
)

/**
 * For agencies that sell and let homes. Sellers and viewings have precedence. Replies never state that a home is
 * suitable for a group of people.
 */
export const realEstate: Scaffold = {
  name: "real_estate",
  title: "Real estate",
  description:
    "Agents and brokers: sellers and viewings first. Buyers are asked about time and financing, and tenants are forwarded to maintenance.",
  notes: [
    "Replies that describe suitable residents are blocked (42 U.S.C. § 3604(c), the US Fair Housing Act). Other countries have their own rules: add their phrases."
  ],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Helpful and precise. Ask when the viewing should be, whether financing is settled and when they want to move. Describe the home, never the people it suits or the neighbourhood's residents."
    },
    guardrails: [
      ...everyGuardrail("21:00", "08:00", 4),
      { id: "prices", kind: "no_prices" },
      {
        id: "fair_housing",
        kind: "blocked_phrases",
        outcome: "block",
        phrases: [
          "adults only",
          "no children",
          "no kids",
          "perfect for families",
          "ideal for couples",
          "mature couple",
          "christian neighborhood",
          "exclusive neighborhood",
          "integrated neighborhood",
          "able bodied",
          "english speakers only",
          "no section 8",
          "bachelor pad",
          "empty nesters"
        ]
      },
      {
        id: "promises",
        kind: "blocked_phrases",
        phrases: ["guaranteed return", "will appreciate", "cannot lose", "guaranteed to sell", "legal advice"]
      }
    ],
    scoreWeights: { intent: 1.2, has_phone: 1.5, detailed: 2, returning_contact: 1.5 },
    rules: [
      ...everyBusiness,
      {
        id: "portal",
        name: "Enquiries from portals get a tag",
        priority: 8,
        when: { fact: "contact.email_domain", op: "in", value: portals },
        actions: [tag("portal")]
      },
      {
        id: "maintenance",
        name: "Tenants with a repair request",
        priority: 10,
        when: {
          all: [
            says(
              "my apartment",
              "my flat",
              "my unit",
              "my landlord",
              "maintenance",
              "work order",
              "the boiler",
              "meiner wohnung",
              "meine wohnung",
              "mieter",
              "mieterin",
              "mon appartement",
              "mon logement",
              "locataire",
              "mi piso",
              "mi apartamento",
              "inquilino",
              "inquilina",
              "mio appartamento",
              "mia casa"
            ),
            { any: [isAbout("support"), says("leak", "leaking", "broken", "mold", "no heat", "does not work")] }
          ]
        },
        actions: [
          tag("maintenance"),
          task("callback", "Arrange a repair for a tenant", 120),
          reply("Thank you for telling us. Please send us your unit and a photo; we will send someone to look at it."),
          { type: "stop" }
        ]
      },
      {
        id: "seller",
        name: "Sellers get a callback first",
        priority: 20,
        when: sellers,
        actions: [
          tag("seller"),
          task("callback", "Call a seller", 30),
          reply(
            "Thank you for thinking of us. A valuation begins with a short look at your home. When could we come by, and what is the address?"
          )
        ]
      },
      {
        id: "viewing",
        name: "Viewings are agreed the same day",
        priority: 30,
        when: {
          any: [
            isAbout("booking"),
            says(
              "viewing",
              "viewings",
              "showing",
              "open house",
              "tour",
              "see the house",
              "see the flat",
              "besichtigen",
              "besichtigung",
              "besichtigungstermin",
              "visiter",
              "une visite",
              "visitar",
              "una visita",
              "visitare"
            )
          ]
        },
        actions: [
          tag("viewing"),
          task("callback", "Agree on a viewing", 60),
          reply(
            "Gladly. Which two times would suit you for a viewing?",
            "It helps us to know whether your financing is settled and when you would like to move."
          )
        ]
      },
      {
        id: "rental",
        name: "Requests for a rental",
        priority: 40,
        when: says(
          "rent",
          "rental",
          "lease",
          "to let",
          "security deposit",
          "zur miete",
          "mieten",
          "mietwohnung",
          "kaution",
          "à louer",
          "louer",
          "en location",
          "alquiler",
          "alquilar",
          "fianza",
          "in affitto",
          "affittare",
          "caparra"
        ),
        actions: [tag("rental"), task("follow_up", "Send matching rentals", 480)]
      },
      {
        id: "financing",
        name: "Buyers with settled financing",
        priority: 50,
        when: says(
          "pre approved",
          "preapproved",
          "mortgage",
          "cash buyer",
          "financing",
          "down payment",
          "finanzierung",
          "eigenkapital",
          "prêt immobilier",
          "financement",
          "hipoteca",
          "financiación",
          "mutuo",
          "finanziamento"
        ),
        actions: [tag("financing"), { type: "transition", state: "engaged" }]
      },
      {
        id: "buyer",
        name: "Buyers are asked about their wishes",
        priority: 60,
        when: { all: [isAbout("pricing", "purchase", "information"), { not: sellers }] },
        actions: [
          tag("buyer"),
          task("follow_up", "Send matching listings", 240),
          reply("Thank you for your interest. Which area, how many rooms and which moving date do you have in mind?")
        ]
      }
    ]
  }
}
