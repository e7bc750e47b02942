package check

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// kinds are the objects that the manifests may hold, by version and kind.
var kinds = map[string]func() any{
	"v1/Namespace": func() any { return &core.Namespace{} }, "v1/ConfigMap": func() any { return &core.ConfigMap{} },
	"v1/PersistentVolumeClaim": func() any { return &core.PersistentVolumeClaim{} }, "v1/Service": func() any { return &core.Service{} },
	"apps/v1/Deployment": func() any { return &apps.Deployment{} }, "policy/v1/PodDisruptionBudget": func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1/Ingress": func() any { return &network.Ingress{} }, "networking.k8s.io/v1/NetworkPolicy": func() any { return &network.NetworkPolicy{} },
}

// manifests returns the objects in deploy/kubernetes by their kind. A field that the API does not have fails the test.
func manifests(t *testing.T) map[string]any {
	t.Helper()
	all := map[string]any{}
	var list struct{ Resources []string }
	if err := yaml.Unmarshal([]byte(read(t, "kubernetes/kustomization.yaml")), &list); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../kubernetes/*.yaml")
	if err != nil || len(files) != len(list.Resources)+1 {
		t.Fatalf("kustomization.yaml names %v, and there are %v: %v", list.Resources, files, err)
	}
	for _, name := range list.Resources {
		for text := range strings.SplitSeq(read(t, "kubernetes/"+name), "\n---\n") {
			var is struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(text), &is); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			made := kinds[is.APIVersion+"/"+is.Kind]
			if made == nil || all[is.Kind] != nil {
				t.Fatalf("%s: %s/%s is unknown, or there twice", name, is.APIVersion, is.Kind)
			}
			object := made()
			if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
				t.Errorf("%s: %s: %v", name, is.Kind, err)
			}
			all[is.Kind] = object
		}
	}
	return all
}

func TestManifests(t *testing.T) {
	all := manifests(t)
	deployment := all["Deployment"].(*apps.Deployment)
	labels := deployment.Spec.Template.Labels
	for what, selector := range map[string]map[string]string{
		"Deployment": deployment.Spec.Selector.MatchLabels, "PodDisruptionBudget": all["PodDisruptionBudget"].(*policy.PodDisruptionBudget).Spec.Selector.MatchLabels,
		"Service": all["Service"].(*core.Service).Spec.Selector, "NetworkPolicy": all["NetworkPolicy"].(*network.NetworkPolicy).Spec.PodSelector.MatchLabels,
	} {
		for name, value := range selector {
			if len(selector) == 0 || labels[name] != value {
				t.Errorf("%s selects %v, and the pods have %v", what, selector, labels)
			}
		}
	}
	if budget := all["PodDisruptionBudget"].(*policy.PodDisruptionBudget).Spec; budget.MaxUnavailable == nil || budget.MaxUnavailable.IntValue() < 1 {
		t.Error("the disruption budget lets no node be drained")
	}
	pod := deployment.Spec.Template.Spec
	if is := pod.SecurityContext; !*is.RunAsNonRoot || *is.RunAsUser != 65532 || is.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("security of the pod: %+v", is)
	}
	if *pod.AutomountServiceAccountToken {
		t.Error("the pod gets a token of the cluster")
	}
	for _, c := range pod.Containers {
		if is := c.SecurityContext; !*is.ReadOnlyRootFilesystem || *is.AllowPrivilegeEscalation || is.Capabilities.Drop[0] != "ALL" {
			t.Errorf("security of %s: %+v", c.Name, is)
		}
		if c.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s has no limit of memory", c.Name)
		}
	}
	for _, rule := range all["Ingress"].(*network.Ingress).Spec.Rules {
		for _, path := range rule.HTTP.Paths {
			if path.Path == "/" || strings.HasPrefix(path.Path, "/metrics") {
				t.Errorf("the ingress shows %s to everybody", path.Path)
			}
		}
	}
}

// TestManifestsServe starts the server with the configuration of the manifests, and asks as the probes do.
func TestManifestsServe(t *testing.T) {
	all := manifests(t)
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(all["ConfigMap"].(*core.ConfigMap).Data["config.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if is := inForce(t, nil, "--config", file)["http.auth"]; len(is) == 0 || is[0] != "token" {
		t.Errorf("http.auth is %v, want token", is)
	}
	origin, _ := serve(t, "CTX_MCP_CONFIG="+file)
	for _, c := range all["Deployment"].(*apps.Deployment).Spec.Template.Spec.Containers {
		for name, probe := range map[string]*core.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe} {
			if status, text := get(t, origin+probe.HTTPGet.Path, ""); status != 200 {
				t.Errorf("%s probe: %d %s", name, status, text)
			}
		}
	}
	if status, _ := get(t, origin+"/.well-known/oauth-protected-resource", "ctx.example.org"); status != 200 {
		t.Errorf("under the name of the ingress: %d", status)
	}
}

// get asks under a Host; "" is that of the address.
func get(t *testing.T, url, host string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
