-- An extract has no opinion: its ratings by words are removed. Its basis says so.
UPDATE reaction SET rating = NULL, sentiment = NULL, confidence = NULL WHERE basis = 'extract';
--bun:split
UPDATE reaction SET basis = 'model' WHERE basis = '';
--bun:split
-- Summaries that counted extracts lose what was said of opinions. They are stale, and say so.
UPDATE audience_summary SET grade = NULL, grade_score = NULL, grade_trend = NULL, digest = '',
  status_counts = CAST('{"positive":0,"neutral":0,"negative":0,"mixed":0,"failed":0,"pending":0,"unrated":' || reaction_count || '}' AS {{.JSON}}),
  summary_json = CAST('{"headline":"This summary counted ratings by words, which are no opinions: generate it again.","overall_sentiment":null,'
    || '"top_themes":[],"pillar_reception":[],"top_actions":[],"top_risks":[],"context":"","data_window":'
    || coalesce(CAST(summary_json -> 'data_window' AS text), 'null') || '}' AS {{.JSON}})
WHERE reaction_count > 0 AND (model LIKE 'builtin-%' OR EXISTS (SELECT 1 FROM audience_summary_reaction AS s JOIN reaction AS r ON r.id = s.reaction_id
  WHERE s.summary_id = audience_summary.id AND r.basis = 'extract'));
--bun:split
-- Below five opinions there is no grade.
UPDATE audience_summary SET grade = NULL, grade_score = NULL, grade_trend = NULL WHERE reaction_count < 5;
--bun:split
-- Scrolling is no conversion, and a form's submission is one.
UPDATE link SET conversions = (SELECT count(*) FROM link_conversion AS c WHERE c.link_id = link.id AND c.type NOT LIKE 'scroll%')
  + (SELECT count(*) FROM link_submission AS c WHERE c.link_id = link.id);
--bun:split
UPDATE link_variant SET conversions = (SELECT count(*) FROM link_conversion AS c WHERE c.variant_id = link_variant.id AND c.type NOT LIKE 'scroll%');
