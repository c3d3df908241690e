package graph

import "rostrum/model"

func (r *Resolver) appVersions() edgeTarget[model.AppVersion] {
	return edgeTarget[model.AppVersion]{appVersionColumns, func(v *model.AppVersion) *string { return &v.ID },
		r.Services.Operation.VersionsByID}
}

func (r *Resolver) appVersionPages() pageTarget[model.AppVersion] {
	return pageTarget[model.AppVersion]{appVersionColumns, r.Services.Operation.VersionPages}
}

func (r *Resolver) registeredOperations() edgeTarget[model.RegisteredOperation] {
	return edgeTarget[model.RegisteredOperation]{operationColumns,
		func(op *model.RegisteredOperation) *string { return &op.ID }, r.Services.Operation.OperationsByID}
}

func (r *Resolver) operationPages() pageTarget[model.RegisteredOperation] {
	return pageTarget[model.RegisteredOperation]{operationColumns, r.Services.Operation.OperationPages}
}
