import type { WordList } from "./Lexicon.ts"

/** French phrases, without accents. An elided article or pronoun is a word of its own: `d'eau` is `d eau`. */
export const french: WordList = {
  unsubscribe:
    "desabonn*, desinscri*, me retirer, retirez moi, retirer mon, supprimez moi, supprimer mon adresse, ne plus recevoir, veux plus recevoir, souhaite plus recevoir, ne m envoyez plus, ne me contactez plus, ne plus me contacter, ne me contacter plus, arretez de m, cessez de m, ne m appelez plus, de votre liste, de vos listes",
  cancellation:
    "annul*, resili*, resiliation, decommander, mettre fin au contrat, mettre fin a mon contrat, me desister",
  complaint:
    "plainte, me plaindre, reclamation, inadmissible*, inacceptable*, decu, decue, decus, decues, mecontent*, scandaleux, scandaleuse, honteux, honteuse, remboursement, rembours*, arnaque, impoli*, desagreable*, aucune reponse, pas de reponse, personne n est venu, personne ne repond, personne ne rappelle, j attends toujours, attends encore, plus jamais, tres mauvais, insatisfait*, furieux, furieuse, malpoli*, incompetent*, desastre, catastrophique, se moquer de",
  pricing:
    "prix, tarif, tarifs, combien, coute, couter, couterait, cout, couts, devis, estimation du cout, remise, honoraires, budget, quel est le montant, mensualite*, reduction",
  booking:
    "rendez vous, rdv, reserver, reservation, prendre date, disponibilite*, creneau, creneaux, visite, visiter, passer voir, venir voir, deplacer, reporter, decaler, autre jour, rappelez moi, me rappeler, rappeler, essai, essayer, consultation, fixer, convenir d",
  purchase:
    "acheter, achat, commander, interesse*, souscrire, cherche un, cherche une, cherchons un, cherchons une, a la recherche d",
  support:
    "aide, aider, probleme*, casse, cassee, ne fonctionne plus, ne fonctionne pas, ne marche pas, ne marche plus, en panne, erreur, garantie, facture, reparer, reparation, sinistre, accident, licencie, licenciee, vole, volee, blesse, blessee, degat des eaux, degats, deces, decede*, fuite, mal a, mal aux",
  information:
    "information*, renseignement*, renseigner, horaires, proposez vous, avez vous, acceptez vous, prenez vous, faites vous, est il possible, serait il possible, savoir si, question, brochure, toujours disponible, encore disponible, a louer, en location, vendre, estimation, envoyer le, demenage, est ce que vous",
  emergency:
    "urgence, fuite, fuites, fuite d eau, inonde, inondee, inondation, coule partout, eau coule, eau partout, plus de chauffage, sans chauffage, plus d eau chaude, pas d eau chaude, plus de courant, plus d electricite, odeur de gaz, sent le gaz, fuite de gaz, canalisation .. eclate, tuyau .. eclate, tuyau .. rompu, toit .. fuit, plafond .. goutte, rage de dents, mal aux dents, tres mal, dent cassee, dent .. cassee, insupportable*, atroce, douleur intense, douleur terrible, douleurs terribles, gonfle, gonflee, enfle, enflee, saigne, saignement, saigner, abces, arrete hier, ete arrete, ete arretee, garde a vue, convocation, convoque*, tribunal, en panne, depanneuse, depannage, ne demarre plus, ne demarre pas, remorqu*, incendie, cambriol*",
  urgent:
    "urgent, urgente, urgemment, en urgence, d urgence, au plus vite, le plus vite possible, immediatement, tout de suite, des que possible, aujourd hui meme, des aujourd hui, rapidement, le plus rapidement, venir aujourd hui, ce soir si, sans attendre",
  unhurried:
    "pas urgent, pas urgente, pas presse, pas pressee, rien ne presse, rien d urgent, sans urgence, quand vous pourrez, quand vous voulez, l annee prochaine, le mois prochain, un jour ou l autre, prenez votre temps, a l occasion",
  positive:
    "merci, parfait, super, excellent*, genial, ravi, ravie, content, contente, satisfait, satisfaite, recommande, bravo, formidable",
  negative:
    "decu, decue, decus, furieux, furieuse, mecontent*, inadmissible*, inacceptable*, scandaleux, honteux, horrible, terrible, nul, nulle, mauvais, mauvaise, impoli*, arnaque, desagreable*, catastrophique, insatisfait*",
  negation: "ne, n, pas, non, aucun, aucune, sans, jamais, ni, nullement",
  noNegation:
    "ne sais pas, pas sur, pas sure, pourquoi pas, ne comprends pas, non seulement, pas seulement, n est ce pas, pourriez vous pas, pas de probleme, aucun probleme, ne fonctionne, ne marche, ne demarre, ne sait pas, n hesitez pas",
  resolved:
    "est repare, est reparee, est resolu, probleme resolu, est parti, est partie, est terminee, tout va bien, fonctionne a nouveau, ne coule plus"
}
