package executive

import (
	"context"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// citedVersions returns the current version of each document that a comparison cites.
func (s *Service) citedVersions(ctx context.Context, of *model.Insight) (map[string]string, error) {
	docs, err := s.citedContents(ctx, of)
	versions := map[string]string{}
	for id, content := range docs {
		versions[id] = textVersion(content)
	}
	return versions, err
}

// refreshCitations marks a comparison's citations of changed documents as drifted. It sets the
// quote's new offsets if the text still contains it.
func (s *Service) refreshCitations(ctx context.Context, kept *model.Insight) error {
	return s.refreshAll(ctx, []*model.Insight{kept})
}

// refreshAll updates the citations of the workspace's stored comparisons, with one statement.
func (s *Service) refreshAll(ctx context.Context, kept []*model.Insight) error {
	docs, err := s.citedContents(ctx, kept...)
	if err != nil {
		return err
	}
	for _, one := range kept {
		markDrifted(one, docs)
	}
	return nil
}

// markDrifted marks a comparison's citations of documents with another text.
func markDrifted(kept *model.Insight, docs map[string]string) {
	drifted := map[string]bool{}
	for id, version := range kept.Sources {
		content, there := docs[id]
		drifted[id] = !there || textVersion(content) != version
	}
	for _, c := range allCitations(kept.Answer) {
		if !drifted[c.DocumentID] {
			continue
		}
		c.Drifted, c.Start, c.End = true, nil, nil
		if span, ok := text.Locate(docs[c.DocumentID], c.Quote); ok {
			c.Start, c.End = &span.Start, &span.End
		}
	}
}

// citedContents returns the texts of the documents that comparisons of a workspace cite.
func (s *Service) citedContents(ctx context.Context, of ...*model.Insight) (map[string]string, error) {
	if len(of) == 0 {
		return nil, nil
	}
	var ids []string
	seen := map[string]bool{}
	for _, one := range of {
		for _, c := range allCitations(one.Answer) {
			if !seen[c.DocumentID] {
				seen[c.DocumentID] = true
				ids = append(ids, c.DocumentID)
			}
		}
	}
	docs, err := s.Documents.ByIDs(ctx, of[0].WorkspaceID, ids, "id", "content")
	contents := make(map[string]string, len(docs))
	for _, doc := range docs {
		contents[doc.ID] = optional.ValueOr(doc.Content, "")
	}
	return contents, err
}

// allCitations returns every citation of a comparison.
func allCitations(p *model.InsightComparison) []*model.Citation {
	var all []*model.Citation
	points := func(lists ...[]*model.InsightPoint) {
		for _, list := range lists {
			for _, point := range list {
				all = append(all, point.Evidence...)
			}
		}
	}
	points(p.AiAnalysis.AtAGlance, p.AiAnalysis.Similarities, p.AiAnalysis.Differences, p.AiAnalysis.UniquePerspectives)
	if m := p.StrategicMap; m != nil {
		points(m.Attack, m.Defend, m.Whitespace)
	}
	for _, row := range p.AiAnalysis.ComparisonMatrix {
		for _, cell := range row.Cells {
			all = append(all, cell.Evidence...)
		}
	}
	for _, summaries := range []map[string]*model.InsightSummary{p.ByExecutive, p.ByCompany} {
		for _, summary := range summaries {
			for _, statement := range summary.Statements {
				all = append(all, &statement.Citation)
			}
		}
	}
	for _, r := range p.AudienceResonance {
		for _, quote := range r.Quotes {
			all = append(all, &quote.Citation)
		}
	}
	return all
}
