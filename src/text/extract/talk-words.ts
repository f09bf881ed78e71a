/**
 * Words that carry a conversation and name nothing in it: what people do in any talk, how they judge, when they meet. English, as the list of
 * `stop-words.ts`, which holds what carries no text at all.
 */
const words = `
able absolutely accordingly achieve acquired add added adding additional adjust advice agree ahead allow allows amazing amount appreciate appreciated
april arrange arrived aspect attend attended attending august available avoid aware awesome balance based basic basically beautiful become begin
believe benefit benefits bit break bring bringing brought busy buy calculate calculation call calm came capture care careful carefully caught certain
certainly challenge challenges challenging change changed changes changing check checked checking choose choosing chose clarify clear close closely
combine come comes comfortable coming common compare complete completed completely complex concern concerned concerns confident confirm confused
connect connected consider considering consistent contain continue convenient correct count couple create created creating curious current daily deal
dealing december decide decided deciding decision definitely depend describe despite detail detailed determine develop developed developing difference
difficult directly discover discuss discussed discussing double doubt early easier easily effective effectively effort enhance enjoy enjoyable enjoyed
enjoying ensuring essential eventually everyday evolve exact example excellent exciting expect expected experienced experimenting explain explained
explore exploring express extra face factor factors fair familiar famous fantastic fascinated fascinating favorite favourite february felt figure
figured final finally fine finish finished finishing fit fits fix follow followed following forget forgot forward friday fridays friendly fully fun
funny gather gathering general generate getting gone grab grateful guess handle handling happen happened happening hear heard hit hold hoping hour
hours huge identify imagine impact implement importance important impressed improve improved improvement improving incorporate incorporating increase
incredible individual individuals inspire inspired inspiring intend intense involve involved issue issues january join joined joining july june key
kinds late lately lead leads leave leaving level levels limit limited list live lived local lovely lower luck made main maintain maintaining major
manage managed managing march matter meaning meant meet meeting mention mentioned mentioning met mid moment moments monday mondays month monthly
months motivated move moved moving multiple myself near nearby necessary nice nicely night normal noticed november number numbers obviously occasion
october ongoing opportunities opportunity outside overall pair paragraph participate participated past perform period personal personally pick picked
planned popular possibly potential practical prefer preferred prepare prepared preparing pretty previous prior progress prompt properly provided put
quality question questions random range reach ready realistic realized really reason reasons received recent recommended reduce refer regarding
regular regularly relate related relax relevant remember remind reminded reminds reply required respond response rest result results return rewrite
right routine safe safely satisfied saturday saturdays save saw select selection sense sentence september serve served serving setting setup several
share sharing short shown significant simple simply single sit situation size slightly slow small smoothly solid solve sound speak speaking specific
spend standard stop stopped stopping strong struggle struggling stuck successful suggested suitable summarize sunday sundays super supposed surprised
switch table tackle takes tend term terms thing thinking thought thursday thursdays topic topics touch translate tuesday tuesdays type types typical
understand understanding unfortunately unique upcoming useful usual usually value variety view wake wednesday wednesdays weekend weekends weekly went
wide willing wonderful working works worried worry worth wrong yeah yesterday younger
`;

/** In the form in which words are compared and as they are written. */
export const talkWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/u));
