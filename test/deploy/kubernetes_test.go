package deploy_test

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// object is what the test reads of a Kubernetes object.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Replicas       *int
		PodSelector    selector                    `yaml:"podSelector"`
		ScaleTargetRef struct{ Kind, Name string } `yaml:"scaleTargetRef"`
		Rules          []struct {
			HTTP struct {
				Paths []struct {
					Backend struct{ Service struct{ Name string } }
				}
			}
		}
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     podSpec
		}
	}
}

type selector struct {
	MatchLabels map[string]string `yaml:"matchLabels"`
}

type podSpec struct {
	AutomountToken  *bool `yaml:"automountServiceAccountToken"`
	SecurityContext struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
	} `yaml:"securityContext"`
	Containers []struct {
		Args            []string
		EnvFrom         []map[string]struct{ Name string } `yaml:"envFrom"`
		ReadinessProbe  probe                              `yaml:"readinessProbe"`
		LivenessProbe   probe                              `yaml:"livenessProbe"`
		SecurityContext struct {
			ReadOnly     bool  `yaml:"readOnlyRootFilesystem"`
			Escalation   *bool `yaml:"allowPrivilegeEscalation"`
			Capabilities struct{ Drop []string }
		} `yaml:"securityContext"`
		Resources    struct{ Limits map[string]string }
		VolumeMounts []struct{ Name string } `yaml:"volumeMounts"`
	}
	Volumes []struct{ Name string }
}

type probe struct {
	HTTPGet struct{ Path string } `yaml:"httpGet"`
}

// readObjects returns the objects of deploy/kubernetes by kind and name. Each file must be named in
// kustomization.yaml.
func readObjects(t *testing.T) map[string]object {
	t.Helper()
	var layout struct{ Resources []string }
	if err := yaml.Unmarshal([]byte(readFile(t, "deploy/kubernetes/kustomization.yaml")), &layout); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("deploy/kubernetes/*.yaml") // the pattern is valid
	if len(files) != len(layout.Resources)+1 {
		t.Errorf("kustomization.yaml names %v of %v", layout.Resources, files)
	}
	objects := map[string]object{}
	for _, name := range layout.Resources {
		decoder := yaml.NewDecoder(strings.NewReader(readFile(t, "deploy/kubernetes/"+name)))
		for {
			var o object
			err := decoder.Decode(&o)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			objects[o.Kind+" "+o.Metadata.Name] = o
		}
	}
	return objects
}

// TestKubernetes/… check the structure of the manifests.
func TestKubernetes(t *testing.T) {
	objects := readObjects(t)
	for _, name := range []string{"ConfigMap rostrum", "Deployment rostrum", "Deployment rostrum-work",
		"Service rostrum", "Ingress rostrum",
		"HorizontalPodAutoscaler rostrum", "PodDisruptionBudget rostrum", "NetworkPolicy rostrum",
		"NetworkPolicy rostrum-work"} {
		if _, ok := objects[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	if _, ok := objects["Secret rostrum"]; ok {
		t.Error("a secret is in the source tree")
	}
	for _, name := range []string{"rostrum", "rostrum-work"} {
		t.Run(name, func(t *testing.T) { checkDeployment(t, objects, name) })
	}
	serve := objects["Deployment rostrum"]
	if serve.Spec.Replicas != nil {
		t.Error("the deployment sets the replicas that the autoscaler sets")
	}
	if ref := objects["HorizontalPodAutoscaler rostrum"].Spec.ScaleTargetRef; ref.Kind+" "+ref.Name != "Deployment rostrum" {
		t.Errorf("the autoscaler scales %v", ref)
	}
	container := serve.Spec.Template.Spec.Containers[0]
	if container.ReadinessProbe.HTTPGet.Path != "/readyz" || container.LivenessProbe.HTTPGet.Path != "/healthz" {
		t.Errorf("the probes are %v and %v", container.ReadinessProbe, container.LivenessProbe)
	}
	for _, rule := range objects["Ingress rostrum"].Spec.Rules {
		for _, path := range rule.HTTP.Paths {
			if path.Backend.Service.Name != "rostrum" {
				t.Errorf("the ingress leads to %v", path.Backend)
			}
		}
	}
}

// checkDeployment checks that a deployment's pods are restricted, get the settings and secrets, and
// are what its network policy is about.
func checkDeployment(t *testing.T, objects map[string]object, name string) {
	t.Helper()
	template := objects["Deployment "+name].Spec.Template
	pod := template.Spec
	if !pod.SecurityContext.RunAsNonRoot || pod.AutomountToken == nil || *pod.AutomountToken || len(pod.Containers) != 1 {
		t.Errorf("the pod may run as root, has a token, or has other containers: %+v", pod)
	}
	container := pod.Containers[0]
	security := container.SecurityContext
	if !security.ReadOnly || security.Escalation == nil || *security.Escalation ||
		!slices.Contains(security.Capabilities.Drop, "ALL") {
		t.Errorf("the container has too many rights: %+v", security)
	}
	if container.Resources.Limits["memory"] == "" {
		t.Error("the container has no memory limit")
	}
	if len(container.EnvFrom) != 2 || container.EnvFrom[0]["configMapRef"].Name != "rostrum" ||
		container.EnvFrom[1]["secretRef"].Name != "rostrum" {
		t.Errorf("the settings are from %v", container.EnvFrom)
	}
	for _, mount := range container.VolumeMounts {
		if !slices.ContainsFunc(pod.Volumes, func(v struct{ Name string }) bool { return v.Name == mount.Name }) {
			t.Errorf("the volume %s is missing", mount.Name)
		}
	}
	for label, value := range objects["NetworkPolicy "+name].Spec.PodSelector.MatchLabels {
		if template.Metadata.Labels[label] != value {
			t.Errorf("the network policy is about pods with %s=%s", label, value)
		}
	}
}
