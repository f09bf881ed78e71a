/**
 * Words that name nothing: function words and the small talk of conversations, in the languages whose words are separated by
 * spaces. A table shipped with the program, so that a node depends on its sources alone.
 */
const english = `
a about above actually after again against all almost already also although always am among an and another any anyone anything are aren around as ask
asked at away back be became because become been before began being below best better between big bit both but by call called came can cannot cant come
comes coming could couldn course day days definitely did didn different do does doesn doing don done down during each easy either else end enough especially
etc even ever every everyone everything exactly example examples excited far feel feeling few find first following for found free from full fun further general get gets getting give
given glad go goes going gone good got great had half happy hard has hasn have haven having he hear hello help helped helpful helps her here hey hi high him himself his hope how
however huge i idea ideas if im in include including indeed instead interested interesting into is isn it its itself ive just keep kind know knowing known large last
later least less let lets like likely list little ll long look looking looks lot lots love made main make makes making many may maybe me mean means might mind mine more
most much must my myself need needed needs never new next nice no none nor not nothing now of off offer often oh ok okay old on once one ones only open or order other others our
ours out over own part particular people perfect perhaps place plan planning please plus point possible pretty probably provide put quick quite rather re really recently recommend recommendations remember right
said same say saying see seem seems seen set several shall she should shouldn show similar simple since small so some someone something sometimes soon sorry sort specific start started
starting step steps still stuff such suggest suggestions sure take taken takes taking talk tell than thank thanks that the their them themselves then there these they thing things think
thinking this those though thought through thus time times tip tips to today together told too took top total toward tried true try trying turn two type under until up upon us use used useful
user uses using usually ve very wait want wanted wants was wasn way ways we week weeks well were what whatever when where whether which while who whole whom whose why will wish with within without
won wonder wondering work would wouldn wow year years yes yesterday yet you your yours yourself assistant session date three four five following specifically currently along across per via able
additionally ensure options option various consider based various another sounds questions question answer request requests information details note
`;

const others = `
der die das und oder nicht mit von für auf ist ein eine einen dem den des im zu auch wie wir ich sie es aber dass
le la les un une des et ou pas avec pour dans est ce cette ces nous vous je il elle sur par plus que qui
el los las una unos unas y con por para es esta este estos esto como pero más que se su sus del al lo
и в не на что это как с по из за для от мы вы он она они но
그리고 그러나 하지만 있다 없다 하는 하고 해서 합니다 했다 있는 것 수 등 때 더 및 또는 위해 대한 통해
של את על לא זה עם אני הוא היא גם או כי
في من على إلى هذا هذه أن لا مع
`;

export const stopWords: ReadonlySet<string> = new Set(
  `${english} ${others}`.split(/\s+/u).filter((word) => word !== ""),
);
